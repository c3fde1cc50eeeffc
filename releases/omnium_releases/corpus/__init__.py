"""The corpus: finished matches without persons, the evidence that the compatibility replay judges by.

pseudonyms.PseudonymKey.load_or_create(folder) -> PseudonymKey    kept in the home, 0600
finished.finished_matches(conn, since=None) -> list[MatchHead]    what there is to export
finished.read_match(conn, fixture) -> LoggedMatch                 one of them, with its names
exporting.export(...) -> ExportReport                             to a folder of corpus entries
importing.import_files(...) -> ImportReport                       public match files to corpus entries
"""
