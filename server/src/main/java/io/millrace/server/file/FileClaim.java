package io.millrace.server.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The right of one stage to write a file, among all stages of this process. A handler that replaces another one of the
 * same stage takes it over. Any thread.
 * <p>
 * The classes of two loaders share nothing but those of the JDK: the claims are system properties, as in {@link
 * LockFile}. Another process is not kept away.
 */
final class FileClaim implements Closeable
{
    private static final String PREFIX = "io.millrace.written:";

    /** The application may replace the properties meanwhile. */
    private final Properties properties = System.getProperties();
    /** Null: a device or a pipe, which any number of stages may write. */
    private final String key;
    private final String owner;
    private final String value;
    /** Of the handler that this one replaces; null for none. */
    private final Object before;

    private FileClaim(final String key, final String owner, final Object holder)
    {
        this.key = key;
        this.owner = owner;
        value = owner + ' ' + System.identityHashCode(holder);
        before = key == null ? null : properties.get(key);
    }

    /**
     * Claims a file, before it is opened or created.
     *
     * @param path   of the file.
     * @param server of the stage.
     * @param stage  its name.
     * @param holder the handler.
     * @return the claim.
     * @throws IOException if another stage has the file.
     */
    static FileClaim of(final Path path, final Object server, final String stage, final Object holder)
        throws IOException
    {
        final boolean isDevice = Files.exists(path) && !Files.isRegularFile(path);
        final FileClaim claim = new FileClaim(isDevice ? null : PREFIX + unique(path),
            "stage '" + stage + "' of server " + System.identityHashCode(server), holder);
        if (!isDevice && !claim.take())
        {
            throw new IOException(path + ": another stage of this process writes this file: take one for each stage");
        }
        return claim;
    }

    /** Without links, so that equal paths are the same file. */
    private static Path unique(final Path path) throws IOException
    {
        final Path absolute = path.toAbsolutePath().normalize();
        final Path parent = absolute.getParent();
        return Files.exists(path) ? path.toRealPath() :
            parent == null || !Files.exists(parent) ? absolute : parent.toRealPath().resolve(absolute.getFileName());
    }

    private boolean take()
    {
        return before == null ? properties.putIfAbsent(key, value) == null :
            before.toString().startsWith(owner + ' ') && properties.replace(key, before, value);
    }

    /** The handler does not start, so that the one before it stays. */
    void undo()
    {
        if (before == null)
        {
            close();
        }
        else
        {
            properties.replace(key, value, before);
        }
    }

    /** Ends the claim, unless another handler of the stage has taken it over. A second call does nothing. */
    @Override
    public void close()
    {
        if (key != null)
        {
            properties.remove(key, value);
        }
    }
}
