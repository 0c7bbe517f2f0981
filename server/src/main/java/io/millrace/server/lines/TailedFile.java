package io.millrace.server.lines;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The file that is being read, also after it was renamed. It knows the file by the key of the operating system (device
 * and inode), and by a checksum of its first bytes, which shows that it was truncated and written anew.
 */
final class TailedFile
{
    /** Bytes at the begin of a file that tell it from another one: a time and some words of a log. */
    private static final int HEAD_BYTES = 256;
    /** A rotation renames some ten files within a millisecond; it does not disturb so many looks. */
    private static final int MAX_LOOKS = 20;

    private static final class Found
    {
        final Path path;
        final String key;
        final FileTime modified;
        final boolean isRegular;

        Found(final Path path, final BasicFileAttributes attributes)
        {
            this.path = path;
            final Object fileKey = attributes.fileKey();
            // Without keys, as on Windows, a file is known by its time of creation.
            key = fileKey != null ? fileKey.toString() : "created " + attributes.creationTime().toMillis();
            modified = attributes.lastModifiedTime();
            isRegular = attributes.isRegularFile();
        }

        boolean isSame(final Found other)
        {
            return path.equals(other.path) && key.equals(other.key);
        }
    }

    private final Path path;
    /** A rotated file has a number or a date behind its name. */
    private final Pattern rotatedName;
    private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD_BYTES);
    private final CRC32C crc = new CRC32C();
    private final PassedFiles passed = new PassedFiles();
    private String key = "";
    private byte[] keyBytes = new byte[0];
    private FileChannel channel;
    /** Time of the last change that was seen; the file may be deleted while it is read. */
    private FileTime modified;
    private int headLength;
    private int headChecksum;

    TailedFile(final Path path)
    {
        this.path = path.toAbsolutePath();
        rotatedName = Pattern.compile(Pattern.quote(path.getFileName().toString()) + "[.-]?\\d[\\d.T_-]*");
    }

    /** Empty if there is no such file. */
    private static String keyOf(final Path path) throws IOException
    {
        try
        {
            return find(path).key;
        }
        catch (final NoSuchFileException ex)
        {
            return "";
        }
    }

    FileChannel channel()
    {
        return channel;
    }

    /** Opens the file of the path; false if there is none. */
    boolean open() throws IOException
    {
        try
        {
            find(path);
        }
        catch (final NoSuchFileException ex)
        {
            if (!Files.isDirectory(path.getParent()))
            {
                throw new NotDirectoryException(path.getParent() + ", the folder of the tailed file");
            }
            return false;
        }
        final List<Found> all = siblings();
        final Found last = all.isEmpty() ? null : all.get(all.size() - 1);
        return last != null && last.path.equals(path) && (openFirst(last, all) || open());
    }

    /** There is no file yet: the rotated ones count as passed. */
    void await() throws IOException
    {
        passed.clear();
        for (final Found each : siblings())
        {
            // It may have appeared by now.
            if (!each.path.equals(path))
            {
                passBefore(each);
            }
        }
    }

    /** Opens the file that was awaited, or the oldest of those that were rotated meanwhile; false if there is none. */
    boolean openAwaited() throws IOException
    {
        if (keyOf(path).isEmpty())
        {
            return false;
        }
        for (final Found each : siblings())
        {
            if (passed.get(each.key) == null)
            {
                return open(each);
            }
        }
        return false;
    }

    /** Opens the first file of a source: those that are older count as passed. */
    private boolean openFirst(final Found found, final List<Found> all) throws IOException
    {
        if (!open(found))
        {
            return false;
        }
        passed.clear();
        for (final Found each : all)
        {
            if (!each.path.equals(path) && !each.key.equals(key) &&
                (found.path.equals(path) || each.modified.compareTo(found.modified) < 0))
            {
                passBefore(each);
            }
        }
        return true;
    }

    private void passBefore(final Found each) throws IOException
    {
        try (FileChannel other = FileChannel.open(each.path, StandardOpenOption.READ))
        {
            final long size = other.size();
            final int length = (int)Math.min(HEAD_BYTES, size);
            passed.add(each.key, new PassedFiles.Passed(each.modified, size, length, headOf(other, length)));
        }
        catch (final NoSuchFileException ex)
        {
            // Renamed or deleted meanwhile. If it was renamed, openNext leaves it out because of its time.
            return;
        }
    }

    private static Found find(final Path path) throws IOException
    {
        return new Found(path, Files.readAttributes(path, BasicFileAttributes.class));
    }

    /** Opens what was found; false if it was renamed since, and its path means no file or another one. */
    private boolean open(final Found found) throws IOException
    {
        if (!found.isRegular)
        {
            throw new IOException(found.path + " is not a regular file");
        }
        final FileChannel opened;
        try
        {
            opened = FileChannel.open(found.path, StandardOpenOption.READ);
        }
        catch (final NoSuchFileException ex)
        {
            return false;
        }
        if (!keyOf(found.path).equals(found.key))
        {
            opened.close();
            return false;
        }
        close();
        channel = opened;
        key = found.key;
        modified = found.modified;
        keyBytes = key.getBytes(StandardCharsets.UTF_8);
        headLength = 0;
        headChecksum = 0;
        return true;
    }

    void close() throws IOException
    {
        if (channel != null)
        {
            channel.close();
            channel = null;
        }
    }

    /** The begin of the file, up to the position, is part of its identity from now on. Allocates nothing. */
    void read(final long position) throws IOException
    {
        if (headLength < HEAD_BYTES && position > headLength)
        {
            headLength = (int)Math.min(HEAD_BYTES, position);
            headChecksum = headOf(channel, headLength);
        }
    }

    /** Whether the file has still the bytes that were read, as far as its size and its head show. Allocates nothing. */
    boolean isSame(final long position) throws IOException
    {
        return channel.size() >= position && headOf(channel, headLength) == headChecksum;
    }

    /** Whether other bytes were written from the begin up to the position or further. Allocates nothing. */
    boolean isRewritten(final long position) throws IOException
    {
        return channel.size() >= position && headOf(channel, headLength) != headChecksum;
    }

    private int headOf(final FileChannel file, final int length) throws IOException
    {
        head.clear().limit(length);
        int bytes = 0;
        while (head.hasRemaining() && bytes >= 0)
        {
            bytes = file.read(head, head.position());
        }
        head.flip();
        crc.reset();
        crc.update(head);
        return (int)crc.getValue();
    }

    void truncated()
    {
        headLength = 0;
        headChecksum = 0;
    }

    /** Whether the path means another file now. Allocates. */
    boolean isReplaced() throws IOException
    {
        final String present = keyOf(path);
        return !present.isEmpty() && !present.equals(key);
    }

    /**
     * The file and those that it was rotated to, oldest first. A list that is made during a rotation may lack a file,
     * whose lines would be lost; so this is what two looks in turn found.
     */
    private List<Found> siblings() throws IOException
    {
        List<Found> last = look();
        for (int i = 1; i < MAX_LOOKS; i++)
        {
            final List<Found> next = look();
            if (isSame(last, next))
            {
                return next;
            }
            last = next;
        }
        throw new IOException("files were renamed during each of " + MAX_LOOKS + " looks at " + path);
    }

    private static boolean isSame(final List<Found> last, final List<Found> next)
    {
        boolean same = last.size() == next.size();
        for (int i = 0; same && i < last.size(); i++)
        {
            same = last.get(i).isSame(next.get(i));
        }
        return same;
    }

    private List<Found> look() throws IOException
    {
        final List<Path> paths;
        try (Stream<Path> entries = Files.list(path.getParent()))
        {
            paths = entries.filter(entry -> rotatedName.matcher(entry.getFileName().toString()).matches())
                .collect(Collectors.toList());
        }
        final List<Found> found = new ArrayList<>();
        for (final Path each : paths)
        {
            add(found, each);
        }
        found.sort(Comparator.comparing((final Found each) -> each.modified).thenComparing(each -> each.path));
        add(found, path);
        return found;
    }

    private static void add(final List<Found> found, final Path each) throws IOException
    {
        try
        {
            found.add(find(each));
        }
        catch (final NoSuchFileException ex)
        {
            // Renamed or deleted meanwhile: the next look finds it under its new name.
            return;
        }
    }

    /**
     * Opens the file that followed: the oldest one that was not written before this one, and has bytes that were not
     * read. So files are read that were rotated between two looks.
     *
     * @param end of what was read of this file.
     * @return offset from which to read the file that is open now; -1 if there is none.
     */
    long openNext(final long end) throws IOException
    {
        final List<Found> all = siblings();
        passed.retain(all.stream().map(each -> each.key).collect(Collectors.toSet()));
        modified = all.stream().filter(each -> each.key.equals(key)).map(each -> each.modified)
            .findFirst().orElse(modified);
        for (final Found each : all)
        {
            final boolean isLater = each.path.equals(path) || each.modified.compareTo(modified) >= 0;
            final long from = isLater && !each.key.equals(key) ? unreadOf(each) : -1;
            if (from >= 0)
            {
                final String last = key;
                final PassedFiles.Passed now =
                    new PassedFiles.Passed(modified, end, (int)Math.min(headLength, end), headChecksum);
                if (!open(each))
                {
                    return -1;
                }
                passed.add(last, now);
                return from;
            }
        }
        return -1;
    }

    /**
     * Offset of the first byte that was not read: 0 for a new file, behind the last look for one that a slow program
     * has written to since; -1 if there is none.
     */
    private long unreadOf(final Found each) throws IOException
    {
        final PassedFiles.Passed before = passed.get(each.key);
        if (before == null)
        {
            return 0;
        }
        try (FileChannel other = FileChannel.open(each.path, StandardOpenOption.READ))
        {
            final long size = other.size();
            if (size < before.end || headOf(other, before.headLength) != before.headChecksum)
            {
                return 0;
            }
            if (size == before.end)
            {
                return before.headLength == HEAD_BYTES || before.modified.equals(each.modified) ? -1 : 0;
            }
            // A short head may be that of a new file that has the key of a deleted one.
            return before.headLength == HEAD_BYTES ? before.end : 0;
        }
        catch (final NoSuchFileException ex)
        {
            return -1;
        }
    }

    /**
     * Opens the file of a position: the one with its key, or else one that begins with the same bytes, such as a copy
     * that was made before the file was truncated.
     */
    boolean open(final TailPosition position) throws IOException
    {
        final List<Found> all = siblings();
        all.sort(Comparator.comparing((final Found each) -> !each.key.equals(position.key)));
        for (final Found each : all)
        {
            if (!openFirst(each, all))
            {
                return open(position);
            }
            headLength = position.headLength;
            headChecksum = position.headChecksum;
            final boolean known = headLength > 0 || each.key.equals(position.key);
            if (known && isSame(position.offset))
            {
                return true;
            }
        }
        close();
        return false;
    }

    /** Opens the oldest file that there is; false if there is none. */
    boolean openOldest() throws IOException
    {
        final List<Found> all = siblings();
        return !all.isEmpty() && (openFirst(all.get(0), all) || openOldest());
    }

    void describe(final TailPosition position)
    {
        position.key = key;
        position.headLength = headLength;
        position.headChecksum = headChecksum;
    }

    byte[] keyBytes()
    {
        return keyBytes;
    }

    Path path()
    {
        return path;
    }
}
