package io.millrace.server;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The JVM ends although the shutdown hook that closes the server runs while a part of it waits for the hook. */
@Tag("normal")
class ExitTest
{
    @ParameterizedTest
    @ValueSource(strings = {"errorOfTheAgent", "startOfAHandler"})
    void shouldEndWhenAPartCallsExitAndAHookCloses(final String part) throws Exception
    {
        final ChildJvm child = new ChildJvm().run(ExitProgram.class, part);
        assertEquals(3, child.exitCode, child::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"errorOfTheClose", "STOPPING", "FAILED", "STOPPED", "startOfAService", "closeOfAService",
        "handler", "directHandler", "invokedHandler", "closeOfAHandler"})
    @Tag("slow")
    void shouldEndWhenAnyPartCallsExit(final String part) throws Exception
    {
        shouldEndWhenAPartCallsExitAndAHookCloses(part);
    }
}
