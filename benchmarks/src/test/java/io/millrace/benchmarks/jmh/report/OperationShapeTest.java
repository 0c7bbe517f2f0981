package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.InputException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
final class OperationShapeTest extends JmhSession
{
    @Test
    void shouldPutAnOperationNextToTheOtherEnginesFigures() throws Exception
    {
        properties.setProperty("report.jmh", "cancel_middle");
        properties.setProperty("report.rounds", "1");
        properties.setProperty("report.roundMs", "20");
        properties.setProperty("report.budgetSeconds", "1");

        run(Session::runOperations);

        final String table = Files.readString(folder.resolve("book-ops/table.txt"));
        assertTrue(Pattern.compile("(?m)^cancel/cancel_middle_of_1k +[0-9.]+ µs .* 0.85 µs +0.23 µs +0.52 µs +[0-9.]+" +
            " +(yes|NO) +(yes|no) .*").matcher(table).find(), table);
        assertTrue(table.contains("hiccups  of the host"), table);
        assertTrue(table.contains("PREVIEW  fewer than 9 rounds"), table);
        assertTrue(Pattern.compile("(?m)^beaten: [01] of 1 lines").matcher(table).find(), table);
        assertTrue(Files.readString(folder.resolve("book-ops/results.json")).contains("cancelMiddleOf1000"));
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("Written: "), out::toString);
    }

    @Test
    void shouldStartNothingWhenNoOperationIsMeant() throws Exception
    {
        properties.setProperty("report.jmh", "no such operation");

        final InputException refusal = assertThrows(InputException.class, () -> run(Session::runOperations));
        assertTrue(refusal.getMessage().contains("match/multi_level_sweep"), refusal::getMessage);
        assertTrue(Files.notExists(folder.resolve("book-ops")));
    }

    @Test
    void shouldHaveABenchmarkForEachOperation()
    {
        properties.setProperty("report.dir", folder.toString());
        final OperationShape shape = new OperationShape(Settings.forOperations(properties));
        assertEquals(RustOperation.ALL.size(), shape.groups(Pattern.compile("")).get("book-ops").size());
    }
}
