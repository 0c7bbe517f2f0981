package io.millrace.server;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.server.lines.RefusedSocketsProgram;
import io.millrace.server.lines.ScarceMemoryProgram;
import io.millrace.server.lines.ScarceSocketsProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** T2: the operating system refuses calls of accepted sockets. */
@Tag("slow")
class RefusedSocketsTest
{
    /**
     * Strace counts the calls of each thread. An accepted socket costs three: one in accept, two to make it
     * non-blocking. So each seventh call is each of the three in turn. The calls before are those of the start.
     */
    private static final String EACH_SEVENTH = "50+7";

    @Test
    void shouldCountAndCloseThem() throws Exception
    {
        final ChildJvm child =
            new ChildJvm().refusing("fcntl", "error=EINVAL:when=" + EACH_SEVENTH).run(RefusedSocketsProgram.class);
        assertEquals(0, child.exitCode, child::toString);
    }

    /** Each thread may start 59 others: more than the JVM itself needs. */
    @Test
    void shouldFreeThePortWhenTheThreadOfTheConsoleCannotBeStarted() throws Exception
    {
        final ChildJvm child = new ChildJvm().refusing("clone,clone3", "error=EAGAIN:when=60+")
            .run(ThreadlessConsoleProgram.class);
        assertEquals(0, child.exitCode, child::toString);
    }

    /** No descriptor is free: each further attempt would fail, too. */
    @Test
    void shouldPauseAfterAFailedAccept() throws Exception
    {
        final ChildJvm child = new ChildJvm().withFewDescriptors().run(ScarceSocketsProgram.class);
        assertEquals(0, child.exitCode, child::toString);
    }

    @Test
    void shouldCloseAConnectionWithoutMemoryForItsBuffer() throws Exception
    {
        assertEquals(List.of("2 1 1 null"),
            new ChildJvm().flags("-XX:MaxDirectMemorySize=4m").lines(ScarceMemoryProgram.class));
    }
}
