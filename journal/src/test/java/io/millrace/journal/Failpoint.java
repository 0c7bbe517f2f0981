package io.millrace.journal;

/** The places at which a process can die: before or after one operation on one kind of file. */
enum Failpoint
{
    APPEND_WRITE, APPEND_FORCE, MARK_WRITE, MARK_FORCE, PREPARE_CREATE, PREPARE_WRITE, PREPARE_FORCE, PREPARE_RENAME,
    RECYCLE_RENAME, ADOPT_RENAME, SNAPSHOT_CREATE, SNAPSHOT_WRITE, SNAPSHOT_FORCE, SNAPSHOT_RENAME, SNAPSHOT_DELETE,
    DIRECTORY_FORCE;

    /** Of an operation on a file; null where no process dies. */
    static Failpoint of(final String file, final String operation)
    {
        final String kind = file.endsWith(".tmp") ? file.startsWith("snapshot-") ? "SNAPSHOT" : "PREPARE" :
            file.startsWith("snapshot-") ? "SNAPSHOT" : file.equals(CommitMark.NAME) ? "MARK" :
            file.startsWith("segment-") ? "APPEND" : "DIRECTORY";
        for (final Failpoint point : values())
        {
            if (point.name().equals(kind + "_" + operation))
            {
                return point;
            }
        }
        return null;
    }

    /** Of a rename: what becomes a segment was prepared, or adopted by recovery; what stops to be one is recycled. */
    static Failpoint ofRename(final String from, final String to)
    {
        return from.startsWith("snapshot-") ? SNAPSHOT_RENAME : to.endsWith(".tmp") ? RECYCLE_RENAME :
            from.endsWith(".tmp") ? PREPARE_RENAME : ADOPT_RENAME;
    }
}
