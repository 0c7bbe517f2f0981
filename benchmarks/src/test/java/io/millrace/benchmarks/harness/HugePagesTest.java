package io.millrace.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HugePagesTest
{
    private static final List<String> ASKED = List.of("-XX:+UseTransparentHugePages");

    @TempDir
    Path dir;

    private List<String> flags(final String setting) throws IOException
    {
        return HugePages.flags(Files.writeString(dir.resolve("enabled"), setting + "\n"));
    }

    @Test
    void shouldAskForLargePagesOnlyWhereTheSystemGivesThem() throws IOException
    {
        assertEquals(ASKED, flags("always [madvise] never"));
        assertEquals(ASKED, flags("[always] madvise never"));
        assertEquals(List.of(), flags("always madvise [never]"));
        assertEquals(List.of(), HugePages.flags(dir.resolve("none")));
    }
}
