package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.InputException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
final class SessionTest extends JmhSession
{
    @Test
    void shouldRunABenchmarkInAForkAndWriteTheReport() throws Exception
    {
        properties.setProperty("report.jmh", "PoolCycle.*contender=ringPool$");
        properties.setProperty("report.rounds", "1");
        properties.setProperty("report.roundMs", "20");
        properties.setProperty("report.budgetSeconds", "1");

        run(Session::run);

        final String table = Files.readString(folder.resolve("jmh/table.txt"));
        assertTrue(Pattern.compile("(?m)^PoolCycle.cycle$").matcher(table).find(), table);
        assertTrue(Pattern.compile("(?m)^  ringPool +[0-9.]+ .*").matcher(table).find(), table);
        assertTrue(table.contains("PREVIEW  fewer than 9 rounds"), table);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains(table), () -> out.toString(StandardCharsets.UTF_8));
        final String json = Files.readString(folder.resolve("jmh/results.json"));
        assertTrue(json.contains("\"gc.alloc.rate.norm\""), json);
        assertTrue(Files.readString(folder.resolve("jmh/jmh.log")).contains("contender = ringPool"));
    }

    @Test
    void shouldStartNothingWhenNoBenchmarkIsMeant() throws Exception
    {
        properties.setProperty("report.jmh", "no such benchmark");

        final InputException refusal = assertThrows(InputException.class, () -> run(Session::run));
        assertTrue(refusal.getMessage().contains("PipelineThroughput.transfer"), refusal::getMessage);
        assertTrue(Files.notExists(folder.resolve("jmh")));
    }

    @Test
    void shouldPutTheReferenceFirstInEachGroup()
    {
        final Map<String, List<Line>> groups = Plan.groups(Pattern.compile(""));

        assertEquals("baseline", groups.get("OneThreadPath.path").get(0).contender());
        assertEquals("lmax", groups.get("PipelineThroughput.transfer").get(0).contender());
        assertEquals("ring40", groups.get("EventLayout.pass threads=2").get(0).contender());
        assertEquals(List.of("1to1", "1to2", "2to1"), groups.keySet().stream()
            .filter(group -> group.startsWith("PoolQueue")).map(group -> group.split("=")[1]).toList());
    }
}
