package io.millrace.benchmarks.race;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the files of a race into its folder, and takes those of an earlier one away first. One thread.
 * <pre>
 *  run.txt           what the run was, and all tables
 *  HEAT.txt          one heat: its table, then every round, those of a discarded attempt included
 *  race.svg          the picture
 * </pre>
 */
final class RaceFiles
{
    private static final String RUN = "run.txt";
    private static final String PICTURE = "race.svg";

    private final Path dir;

    RaceFiles(final Path dir)
    {
        this.dir = dir;
    }

    void clear() throws IOException
    {
        Files.deleteIfExists(dir.resolve(RUN));
        Files.deleteIfExists(dir.resolve(PICTURE));
        for (final Heat heat : Heat.all())
        {
            Files.deleteIfExists(file(heat));
        }
    }

    private Path file(final Heat heat)
    {
        return dir.resolve(heat.name() + ".txt");
    }

    /** One heat, as soon as it is over: a race that breaks off later leaves what it has. */
    void write(final List<String> header, final HeatSummary kept, final List<HeatSummary> discarded) throws IOException
    {
        final List<String> text = new ArrayList<>(header);
        text.add("");
        text.addAll(RaceTable.lines(kept));
        text.add("");
        text.addAll(RaceTable.rounds(kept));
        for (final HeatSummary attempt : discarded)
        {
            text.add("");
            text.add("DISCARDED attempt");
            text.addAll(RaceTable.lines(attempt));
            text.add("");
            text.addAll(RaceTable.rounds(attempt));
        }
        Files.write(file(kept.heat()), text, StandardCharsets.UTF_8);
    }

    void write(final List<String> run, final String svg) throws IOException
    {
        Files.write(dir.resolve(RUN), run, StandardCharsets.UTF_8);
        Files.writeString(dir.resolve(PICTURE), svg, StandardCharsets.UTF_8);
    }

    String describe()
    {
        return "Files in " + dir.toAbsolutePath().normalize() + ": " + RUN + " (the above), a file for each heat " +
            "with every round, " + PICTURE;
    }
}
