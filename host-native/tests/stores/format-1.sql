-- A store of format 1, as Ebbtrace 0.1 wrote it. It is never edited: stores of every age must keep opening.
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE store (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    revision INTEGER NOT NULL
) STRICT;
INSERT INTO store (one, revision) VALUES (1, 0);

CREATE TABLE scope (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    maintained_at INTEGER
) STRICT;

CREATE TABLE label (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE memory (
    key INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (key),
    id TEXT NOT NULL,
    kind INTEGER NOT NULL REFERENCES label (key),
    category TEXT NOT NULL,
    importance REAL NOT NULL,
    pinned INTEGER NOT NULL,
    occurred_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    last_accessed_at INTEGER NOT NULL,
    recalled_at INTEGER,
    recall_count INTEGER NOT NULL,
    version INTEGER NOT NULL,
    tier TEXT NOT NULL,
    state TEXT NOT NULL,
    state_at INTEGER,
    superseded_by TEXT,
    archive_reason TEXT,
    author TEXT,
    client TEXT,
    session TEXT,
    position INTEGER NOT NULL,
    uri TEXT,
    tags TEXT,
    metadata TEXT,
    content TEXT NOT NULL,
    embedding_model INTEGER REFERENCES label (key),
    embedding_scale REAL,
    embedding BLOB,
    UNIQUE (scope, id)
) STRICT;

CREATE TABLE edge (
    source INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    target INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    relation INTEGER NOT NULL REFERENCES label (key),
    weight REAL NOT NULL,
    created_at INTEGER NOT NULL,
    reinforced_at INTEGER NOT NULL,
    PRIMARY KEY (source, target, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX edge_target ON edge (target);

CREATE TABLE proposal (
    memory INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    action TEXT NOT NULL,
    merge_into TEXT,
    reason TEXT NOT NULL,
    proposed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE journal (
    revision INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    operation TEXT NOT NULL,
    changes TEXT
) STRICT;
PRAGMA application_id = 1164075636;
PRAGMA user_version = 1;

UPDATE store SET revision = 7;
INSERT INTO scope (key, name, maintained_at) VALUES (1, 'team', 500), (2, 'left empty', NULL);
INSERT INTO label (key, name) VALUES (1, '회의'), (2, 'minilm'), (3, 'note'), (4, 'supersedes');
INSERT INTO memory (key, scope, id, kind, category, importance, pinned, occurred_at, created_at, updated_at,
    valid_from, last_accessed_at, recalled_at, recall_count, version, tier, state, state_at, superseded_by,
    archive_reason, author, client, session, position, uri, tags, metadata, content, embedding_model, embedding_scale,
    embedding)
VALUES
    (3, 1, 'decision:pricing', 1, 'strategy', 0.30000000000000004, 1, -62135596800000, 253402300799999, -1, 0,
     4294967295, -62, 4294967295, 7, 'cold', 'archived', 9, NULL, 'no longer needed', 'Ann', 'a client', 'a session',
     4294967295, 'https://example.org/?q=%20', '["a \"quoted\" tag","日本"]', '{"ticket":12}',
     'Yearly plans are shown first.', 2, 0.25, x'01FF7F80'),
    (9, 1, '01HOLD', 3, 'fact', 0.5, 0, 1, 2, 3, 4, 5, NULL, 0, 1, 'hot', 'superseded', 9, 'decision:pricing', NULL,
     NULL, NULL, NULL, 0, NULL, NULL, NULL, 'about 01HOLD', NULL, NULL, NULL);
INSERT INTO edge (source, target, relation, weight, created_at, reinforced_at)
VALUES (3, 9, 4, 0.33333333333333331, 20, 21);
INSERT INTO proposal (memory, action, merge_into, reason, proposed_at)
VALUES (9, 'merge', 'decision:pricing', '01HOLD was not used for 90 days', 30);
INSERT INTO journal (revision, at, operation, changes)
VALUES (7, 1007, 'approve',
    '[{"change":"delete_edge","scope":"team","from":"decision:pricing","to":"01HOLD","relation":"semantic"}]');
COMMIT;
