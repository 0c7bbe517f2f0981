package io.millrace.ipc;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An exchange in JVMs without any flag, on each JDK of this machine. */
class AnyJdkTest
{
    private static final int CALLS = 200;

    /** Host and guest in one JVM. Nothing but the program's line may be on its stdout and stderr. */
    @Test
    void shouldCallWithoutAFlagAndWithEmptyStderr() throws Exception
    {
        for (final Path jdk : ChildJvm.jdks())
        {
            final Path directory = Pair.folder();
            try
            {
                final List<String> lines = new ChildJvm(jdk).lines(OneCorePeer.class, directory, CALLS);
                assertEquals(1, lines.size(), () -> jdk + ": " + lines);
                assertTrue(lines.get(0).startsWith(CALLS + " calls on one core"), () -> jdk + ": " + lines);
            }
            finally
            {
                Pair.delete(directory);
            }
        }
    }
}
