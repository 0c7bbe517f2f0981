package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.AgentSpec;
import io.millrace.server.Flow;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.replay.FileReplaySource;
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

/** docs/configuration.md names every setting, counter and property. */
class ConfigurationPageTest
{
    private static final Path PAGE =
        Path.of(System.getProperty("millrace.root", "..")).resolve("docs/configuration.md");

    @TempDir
    private Path folder;

    private static final class Row extends BasePoolAware
    {
    }

    @Test
    void shouldExplainEveryCounterOfAServer() throws IOException
    {
        final String page = Files.readString(PAGE);
        final Path file = Files.writeString(folder.resolve("rows.csv"), "1\n");
        final FileReplaySource<Row> source = new FileReplaySource<>(file, (row, event) -> true);
        final List<String> missing = new ArrayList<>();
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("FLOW", f -> f.from(Row::new, 8, source).to("STAGE", (event, sequence, endOfBatch) ->
            {
            }))
            .agent("AGENT", agent -> agent.hosts("STAGE", "FLOW-source"))))
        {
            assertTrue(server.counters().names().size() > 10);
            server.counters().names().stream().filter(name -> !page.contains("| `" + name + "` |"))
                .forEach(missing::add);
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void shouldExplainEverySetting() throws IOException
    {
        final String page = Files.readString(PAGE);
        final List<String> missing = new ArrayList<>();
        for (final Class<?> type : List.of(Server.Context.class, AgentSpec.class, Flow.class, FileReplaySource.class))
        {
            for (final Method method : type.getDeclaredMethods())
            {
                // Fluent: a setting returns its own type. conclude() sets nothing.
                if (Modifier.isPublic(method.getModifiers()) && method.getReturnType() == type &&
                    !method.getName().equals("conclude") && !page.contains("| `" + method.getName() + "("))
                {
                    missing.add(type.getSimpleName() + "." + method.getName());
                }
            }
        }
        assertEquals(List.of(), missing);
    }
}
