"""The compatibility replay: the same matches through two releases, and every place where they part.

entries.CorpusEntry, EntryCommand, EntrySide, EntryLine, EntryPlace, EntryRefusal, RecordedBy
entry_documents.entry_of(document) -> CorpusEntry     raises `UnreadableFile` with every problem
entry_documents.document_of(entry) -> dict            JSON data; docs/formats.md has the format
entry_documents.read_entry(path); write_entry(path, entry)
"""
