package io.millrace.journal;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The pages know what there is to set and to read, and the offsets that the code has. */
class JournalPageTest
{
    private static final Path DOCS = Path.of(System.getProperty("millrace.root", "..")).resolve("docs");

    @TempDir
    private Path folder;

    @Test
    void shouldExplainEverySettingAndEveryCounter() throws IOException
    {
        final String page = Files.readString(DOCS.resolve("configuration.md"));
        final List<String> missing = new ArrayList<>();
        for (final Method method : JournalContext.class.getDeclaredMethods())
        {
            if (Modifier.isPublic(method.getModifiers()) && method.getReturnType() == JournalContext.class &&
                !method.getName().equals("conclude") && !page.contains("| `" + method.getName() + "("))
            {
                missing.add(method.getName());
            }
        }
        final Journal<Command> journal = Journal.open(Journals.context(folder.resolve("j")).name("JOURNAL"));
        final InVmSource<Command> source = new InVmSource<>(Command::new, 8);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).service(journal)
            .flow("f", f -> f.from(source).to("journal", journal.stage())
                .to("accounts", journal.recovering(new Accounts()), "journal"))))
        {
            final List<String> counters = new ArrayList<>(server.counters().names());
            counters.removeIf(name -> !name.startsWith("JOURNAL."));
            assertTrue(counters.size() >= 8);
            counters.stream().filter(name -> !page.contains("| `" + name + "` |")).forEach(missing::add);
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void shouldDrawTheLayoutsThatTheCodeHas() throws IOException
    {
        final String page = Files.readString(DOCS.resolve("journal.md"));
        final List<String> rows = List.of(
            "| " + SegmentDescriptor.MAGIC_OFFSET + " | 8 | magic | `" + SegmentDescriptor.MAGIC + "`",
            "| " + SegmentDescriptor.VERSION_OFFSET + " | u16 | version | " + SegmentDescriptor.VERSION + ";",
            "| " + SegmentDescriptor.SEGMENT_OFFSET + " | u32 | segment id",
            "| " + SegmentDescriptor.SCHEMA_OFFSET + " | i32 | schema",
            "| " + SegmentDescriptor.LAST_CHECKSUM_OFFSET + " | u32 | last checksum",
            "| " + SegmentDescriptor.FIRST_SEQUENCE_OFFSET + " | i64 | first sequence",
            "| " + SegmentDescriptor.COMMITTED_OFFSET + " | i64 | committed",
            "| " + SegmentDescriptor.CREATED_OFFSET + " | i64 | created",
            "| " + SegmentDescriptor.BEFORE_OFFSET + " | u32 | segment before",
            "| " + SegmentDescriptor.LENGTH_OFFSET + " | u32 | length",
            "| " + SegmentDescriptor.CHECKSUM_OFFSET + " | u32 | checksum",
            "| " + RecordDescriptor.CHECKSUM_OFFSET + " | u32 | checksum",
            "| " + RecordDescriptor.LENGTH_OFFSET + " | u32 | length",
            "| " + RecordDescriptor.SEGMENT_OFFSET + " | u32 | segment id",
            "| " + RecordDescriptor.TYPE_OFFSET + " | u8 | type | " + RecordDescriptor.EVENT + " event; " +
                RecordDescriptor.SKIP + " skip",
            "| " + RecordDescriptor.SEQUENCE_OFFSET + " | i64 | sequence",
            "| " + RecordDescriptor.TIME_OFFSET + " | i64 | time",
            "| " + RecordDescriptor.COMMITTED_OFFSET + " | i64 | committed",
            "| " + RecordDescriptor.HEADER_LENGTH + " | n | payload",
            "| " + SnapshotDescriptor.MAGIC_OFFSET + " | 8 | magic | `" + SnapshotDescriptor.MAGIC + "`",
            "| " + SnapshotDescriptor.SEQUENCE_OFFSET + " | i64 | sequence",
            "| " + SnapshotDescriptor.HASH_OFFSET + " | i64 | state hash",
            "| " + SnapshotDescriptor.CREATED_OFFSET + " | i64 | created",
            "| " + SnapshotDescriptor.HEADER_LENGTH + " | n | state",
            "| " + CommitMark.SEQUENCE_OFFSET + " | i64 | sequence",
            "| " + CommitMark.CHECKSUM_OFFSET + " | u32 | checksum");
        assertEquals(List.of(), rows.stream().filter(row -> !page.contains(row)).toList());
    }
}
