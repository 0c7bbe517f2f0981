package io.millrace.exchange.session;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Each accepted connection is in exactly one other counter: accepted = open + over the limit + ended. */
@Timeout(180)
class EntryCountersTest
{
    @TempDir
    private Path folder;

    /**
     * Strace counts the calls of each thread, and how many a JDK makes is its own affair. This fits JDK 17 and 25: with
     * IPv4 only, an accepted socket needs one option, a client's none, and the listener's come before the fourth call.
     */
    @Test
    void shouldCountAPeerThatHasGoneBeforeItsConnectionIsOpen() throws Exception
    {
        final ChildJvm child = new ChildJvm().flags("-Djava.net.preferIPv4Stack=true")
            .refusing("setsockopt", "error=EINVAL:when=4+2").run(GoneProgram.class, folder);
        assertEquals(0, child.exitCode, child::toString);
    }

    @Test
    void shouldCloseAConnectionWithoutMemoryForItsBuffersAndServeTheOthers() throws Exception
    {
        assertEquals(List.of("true true", "null", "[1 r1 ACCEPTED order 1 1@100 open 1]"),
            new ChildJvm().flags("-XX:MaxDirectMemorySize=16m").lines(NoMemoryProgram.class, folder));
    }
}
