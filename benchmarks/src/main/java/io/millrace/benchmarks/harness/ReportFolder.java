package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder into which a report writes: forgets the files of an earlier run, writes those of this one, and at the end
 * names those that a person reads. One thread.
 */
public final class ReportFolder
{
    private final Path dir;
    private final List<String> names = new ArrayList<>();

    /**
     * A folder.
     *
     * @param dir where it is; made when it is not there.
     * @param old names of an earlier report's files, patterns as {@link Files#newDirectoryStream(Path, String)} has
     *            them; the files are deleted.
     * @throws IOException when that fails.
     */
    public ReportFolder(final Path dir, final String... old) throws IOException
    {
        this.dir = Files.createDirectories(dir);
        for (final String pattern : old)
        {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(dir, pattern))
            {
                for (final Path file : files)
                {
                    Files.delete(file);
                }
            }
        }
    }

    /**
     * Write a file of lines.
     *
     * @param name  of the file.
     * @param lines its lines.
     * @throws IOException when that fails.
     */
    public void write(final String name, final List<String> lines) throws IOException
    {
        Files.write(file(name), lines, StandardCharsets.UTF_8);
    }

    /**
     * Write a file.
     *
     * @param name of the file.
     * @param text its content.
     * @throws IOException when that fails.
     */
    public void write(final String name, final String text) throws IOException
    {
        Files.writeString(file(name), text, StandardCharsets.UTF_8);
    }

    /**
     * A file that is about to be written.
     *
     * @param name of the file.
     * @return where it is.
     */
    public Path file(final String name)
    {
        names.remove(name);
        names.add(name);
        return dir.resolve(name);
    }

    /**
     * Print a report and where its files are.
     *
     * @param out  where to print.
     * @param text the report.
     */
    public void print(final PrintStream out, final List<String> text)
    {
        out.println();
        text.forEach(out::println);
        out.println();
        final List<String> read = new ArrayList<>(names);
        read.removeIf(name -> name.endsWith(".hgrm") || name.endsWith(".hlog"));
        final int percentiles = names.size() - read.size();
        out.println("Written: " + dir.toAbsolutePath().normalize() + " (" + String.join(", ", read) +
            (percentiles == 0 ? "" : " and " + percentiles + " files of percentiles") + ")");
    }

    /**
     * Writes and prints a report whose only text file is {@code table.txt}: the header, then the tables.
     *
     * @param out    for people.
     * @param tables lines.
     * @param header of the report.
     * @throws IOException when the file cannot be written.
     */
    public void finish(final PrintStream out, final List<String> tables, final RunHeader header) throws IOException
    {
        final List<String> text = new Paragraphs().add("", header.lines()).add("", tables).lines();
        write("table.txt", text);
        print(out, text);
    }
}
