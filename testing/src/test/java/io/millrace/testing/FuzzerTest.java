package io.millrace.testing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** All but the run itself: the modules with decoders have that. */
class FuzzerTest
{
    private static final List<String> INPUTS = List.of("", "00ff", "4d494c4c");

    @TempDir
    private Path folder;

    /** Its earlier inputs are in {@code FuzzTarget.hex}. */
    private static final class FuzzTarget
    {
    }

    @Test
    void shouldReadTheEarlierInputsOfATarget() throws IOException
    {
        assertEquals(INPUTS, Fuzzer.corpus(FuzzTarget.class).stream().map(HexFormat.of()::formatHex).toList());
        assertThrows(IOException.class, () -> Fuzzer.corpus(FuzzerTest.class));
    }

    @Test
    void shouldBeginWithTheEarlierInputsAndThoseThatAreAdded() throws IOException
    {
        final Path corpus = Fuzzer.begin(FuzzTarget.class, folder);
        Fuzzer.add(corpus, new byte[]{1, 2});
        final List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(corpus))
        {
            for (final Path file : files.toList())
            {
                found.add(HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        assertEquals(List.of("", "00ff", "0102", "4d494c4c"), found.stream().sorted().toList());
        assertEquals(folder, corpus.getParent());
    }

    @Test
    void shouldLeaveOutTheTestWithoutJazzer()
    {
        final RuntimeException left = assertThrows(RuntimeException.class,
            () -> Fuzzer.run(FuzzTarget.class, 64, folder, folder.resolve("corpus")));
        assertEquals("TestAbortedException", left.getClass().getSimpleName());
        assertTrue(left.getMessage().contains("is not on the class path"), left.getMessage());
    }

    @Test
    void shouldRunForAMinuteByDefault()
    {
        assertEquals(Integer.getInteger("fuzz.seconds", 60), Fuzzer.seconds());
    }
}
