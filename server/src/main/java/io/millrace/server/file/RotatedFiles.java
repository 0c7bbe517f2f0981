package io.millrace.server.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A file and the full ones before it: {@code NAME.1}, the oldest, to {@code NAME.n}, then {@code NAME}. */
final class RotatedFiles
{
    private static final int MAX_DIGITS = 9;

    private RotatedFiles()
    {
    }

    /** Numbers of the full files, sorted. */
    private static List<Integer> numbers(final Path path) throws IOException
    {
        final String prefix = path.getFileName() + ".";
        final List<Integer> numbers = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder(path)))
        {
            entries.map(entry -> entry.getFileName().toString())
                .filter(name -> name.startsWith(prefix) && name.length() <= prefix.length() + MAX_DIGITS)
                .map(name -> name.substring(prefix.length())).filter(rest -> rest.matches("[1-9]\\d*"))
                .map(Integer::valueOf).sorted().forEach(numbers::add);
        }
        return numbers;
    }

    private static Path folder(final Path path)
    {
        return path.toAbsolutePath().getParent();
    }

    private static Path numbered(final Path path, final int number)
    {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    /** All files, oldest first. */
    static List<Path> all(final Path path) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        for (final int number : numbers(path))
        {
            files.add(numbered(path, number));
        }
        if (Files.exists(path))
        {
            files.add(path);
        }
        return files;
    }

    /**
     * For a new recording: as {@link #rotate}, but a file without records is emptied. Otherwise each start that records
     * nothing would delete a file with records.
     */
    static int begin(final Path path, final int keep) throws IOException
    {
        if (!Files.exists(path))
        {
            return 0;
        }
        if (Files.size(path) > RecordingDescriptor.HEADER_LENGTH ||
            !RecordingDescriptor.isHeader(Files.readAllBytes(path)))
        {
            return rotate(path, keep);
        }
        Files.write(path, new byte[0]);
        return 0;
    }

    /** Renames the file, and deletes the oldest ones beyond the limit; returns how many. */
    static int rotate(final Path path, final int keep) throws IOException
    {
        final List<Integer> numbers = numbers(path);
        final int next = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
        Files.move(path, numbered(path, next), StandardCopyOption.ATOMIC_MOVE);
        numbers.add(next);
        final int surplus = Math.max(0, numbers.size() - keep);
        for (final int number : numbers.subList(0, surplus))
        {
            // An operator may have deleted it meanwhile.
            Files.deleteIfExists(numbered(path, number));
        }
        return surplus;
    }
}
