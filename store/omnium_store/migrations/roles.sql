-- One role a service, taken with SET ROLE by the owner's login. Where the owner may not create roles nothing is made.

DO $$
DECLARE
    v_role text;
BEGIN
    FOREACH v_role IN ARRAY ARRAY['omnium_router', 'omnium_worker', 'omnium_push'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = v_role) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', v_role);
            END IF;
        EXCEPTION
            WHEN insufficient_privilege THEN NULL;
            WHEN duplicate_object OR unique_violation THEN NULL;  -- a neighbour database made it just now
        END;
    END LOOP;
    FOR v_role IN
        SELECT rolname FROM pg_catalog.pg_roles
        WHERE rolname IN ('omnium_router', 'omnium_worker', 'omnium_push')
          AND NOT pg_has_role(current_user, oid, 'MEMBER')
    LOOP
        BEGIN
            EXECUTE format('GRANT %I TO CURRENT_USER', v_role);
        EXCEPTION WHEN insufficient_privilege THEN NULL;
        END;
    END LOOP;
END $$;
