package io.millrace.pool.testkit;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The classes of a module of Millrace, for rules that hold for all of them. */
public final class ModuleClasses
{
    private ModuleClasses()
    {
    }

    /**
     * Names of the classes of the folder or jar that a class comes from, nested and package-private ones included.
     *
     * @param anchor a class of the module.
     * @return names for {@link Class#forName}, sorted.
     * @throws IOException when they cannot be read.
     */
    public static List<String> beside(final Class<?> anchor) throws IOException
    {
        final Path path;
        try
        {
            path = Path.of(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
        }
        catch (final URISyntaxException ex)
        {
            throw new IOException(ex);
        }
        if (Files.isDirectory(path))
        {
            return in(path);
        }
        try (FileSystem jar = FileSystems.newFileSystem(path, (ClassLoader)null))
        {
            return in(jar.getPath("/"));
        }
    }

    private static List<String> in(final Path root) throws IOException
    {
        try (Stream<Path> files = Files.walk(root))
        {
            return files.map(file -> root.relativize(file).toString())
                .filter(name -> name.startsWith("io") && name.endsWith(".class") && !name.endsWith("-info.class"))
                .map(name -> name.substring(0, name.length() - ".class".length()).replaceAll("[/\\\\]", "."))
                .sorted().collect(Collectors.toList());
        }
    }
}
