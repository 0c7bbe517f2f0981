package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class ChildProcessTest
{
    private static final List<String> FLAGS = List.of("-Xms16m", "-Xmx16m", "-XX:-AlwaysPreTouch");

    @Test
    void shouldKeepItsObjectBetweenQuestionsAndAfterAFailure() throws IOException
    {
        try (Children<String, List<String>> children = new Children<>())
        {
            children.start("list", FLAGS, () ->
            {
                dropStacks();
                return new ArrayList<>();
            });
            final String word = "a\tb\nc";
            assertEquals(1, children.<Integer>ask("list", list ->
            {
                System.out.println("this line does not mix with the answers");
                list.add(word);
                return list.size();
            }));
            final IOException failed =
                assertThrows(IOException.class, () -> children.ask("list", list -> list.get(7)));
            assertTrue(failed.getMessage().startsWith(
                "contender list failed: java.lang.IndexOutOfBoundsException"), failed::getMessage);
            assertEquals(word, children.ask("list", list -> list.get(0)));
        }
    }

    @Test
    void shouldSayWhyAChildDidNotStartOrThatItEnded() throws IOException
    {
        final IOException refused = assertThrows(IOException.class, () -> ChildProcess.start("none", FLAGS, () ->
        {
            dropStacks();
            throw new IllegalStateException("cannot be made");
        }));
        assertTrue(refused.getMessage().endsWith("cannot be made"), refused::getMessage);
        try (ChildProcess<String> child = ChildProcess.start("short", FLAGS, () -> "it"))
        {
            final IOException ended = assertThrows(IOException.class, () -> child.ask(own ->
            {
                Runtime.getRuntime().halt(1);
                return own;
            }));
            assertTrue(ended.getMessage().startsWith("the process of contender short ended"), ended::getMessage);
            final IOException gone = assertThrows(IOException.class, () -> child.ask(own -> own));
            assertTrue(gone.getMessage().startsWith("the process of contender short ended"), gone::getMessage);
        }
    }

    /** A child prints the stack of each failure to stderr, which is the test's. */
    private static void dropStacks()
    {
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }
}
