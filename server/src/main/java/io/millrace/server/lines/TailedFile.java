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

    private static final class Found
    {
        final Path path;
        final String key;
        final FileTime modified;

        Found(final Path path, final BasicFileAttributes attributes)
        {
            this.path = path;
            key = keyOf(path, attributes);
            modified = attributes.lastModifiedTime();
        }
    }

    private final Path path;
    /** A rotated file has a number or a date behind its name. */
    private final Pattern rotatedName;
    private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD_BYTES);
    private final CRC32C crc = new CRC32C();
    private String key = "";
    private byte[] keyBytes = new byte[0];
    private FileChannel channel;
    private int headLength;
    private int headChecksum;

    TailedFile(final Path path)
    {
        this.path = path.toAbsolutePath();
        rotatedName = Pattern.compile(Pattern.quote(path.getFileName().toString()) + "[.-]?\\d[\\d.T_-]*");
    }

    /** Without keys, as on Windows, a file is known by its time of creation. */
    private static String keyOf(final Path path, final BasicFileAttributes attributes)
    {
        final Object key = attributes.fileKey();
        return key != null ? key.toString() : "created " + attributes.creationTime().toMillis();
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
            return open(new Found(path, Files.readAttributes(path, BasicFileAttributes.class)));
        }
        catch (final NoSuchFileException ex)
        {
            if (!Files.isDirectory(path.getParent()))
            {
                throw new NotDirectoryException(path.getParent() + ", the folder of the tailed file");
            }
            return false;
        }
    }

    private boolean open(final Found found) throws IOException
    {
        if (!Files.isRegularFile(found.path))
        {
            throw new IOException(found.path + " is not a regular file");
        }
        final FileChannel opened = FileChannel.open(found.path, StandardOpenOption.READ);
        close();
        channel = opened;
        key = found.key;
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
            headChecksum = headOf(headLength);
        }
    }

    /** Whether the file has still the bytes that were read, as far as its size and its head show. Allocates nothing. */
    boolean isSame(final long position) throws IOException
    {
        return channel.size() >= position && headOf(headLength) == headChecksum;
    }

    private int headOf(final int length) throws IOException
    {
        head.clear().limit(length);
        int bytes = 0;
        while (head.hasRemaining() && bytes >= 0)
        {
            bytes = channel.read(head, head.position());
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
        try
        {
            return !keyOf(path, Files.readAttributes(path, BasicFileAttributes.class)).equals(key);
        }
        catch (final NoSuchFileException ex)
        {
            return false;
        }
    }

    /** The file and those that it was rotated to, oldest first. */
    private List<Found> siblings() throws IOException
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
        found.sort(Comparator.comparing((final Found each) -> each.modified));
        add(found, path);
        return found;
    }

    private static void add(final List<Found> found, final Path each) throws IOException
    {
        try
        {
            found.add(new Found(each, Files.readAttributes(each, BasicFileAttributes.class)));
        }
        catch (final NoSuchFileException ex)
        {
            // Rotated or deleted meanwhile: the next look finds it under its new name.
            return;
        }
    }

    /**
     * Opens the file that followed: the oldest one that was written after this one. So files are read that were rotated
     * between two looks.
     */
    boolean openNext() throws IOException
    {
        final List<Found> all = siblings();
        final FileTime present = all.stream().filter(each -> each.key.equals(key)).map(each -> each.modified)
            .findFirst().orElse(null);
        for (final Found each : all)
        {
            final boolean isLast = each.path.equals(path);
            if (!each.key.equals(key) && (isLast || present != null && each.modified.compareTo(present) > 0))
            {
                return open(each);
            }
        }
        return false;
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
            open(each);
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
        return !all.isEmpty() && open(all.get(0));
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
