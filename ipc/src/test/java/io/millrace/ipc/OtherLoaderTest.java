package io.millrace.ipc;

import io.millrace.pool.testkit.Descriptors;
import org.junit.jupiter.api.Test;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The classes of the module twice in one JVM, as in a container of applications. */
class OtherLoaderTest extends FolderFixture
{
    /** S2: a descriptor of the lock file that another loader's classes open would end the lock when it is closed. */
    @Test
    void shouldKeepTheLockWhenAnotherClassLoaderTriesToCreateTheExchange() throws Exception
    {
        final ExchangeContext context = Pair.context(directory.resolve("x"));
        final List<URL> classPath = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator))
        {
            classPath.add(Path.of(entry).toUri().toURL());
        }
        try (ExchangeHost first = ExchangeHost.create(context);
            URLClassLoader loader = new URLClassLoader(
                classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader()))
        {
            Files.delete(context.socket());
            final Method settings = loader.loadClass(Pair.class.getName()).getDeclaredMethod("context", Path.class);
            settings.setAccessible(true);
            final Object same = settings.invoke(null, context.directory);
            final Method create = loader.loadClass(ExchangeHost.class.getName()).getMethod("create", same.getClass());
            for (int attempt = 0; attempt < 3; attempt++)
            {
                assertEquals("another host has the exchange " + context.file(), assertThrows(
                    InvocationTargetException.class, () -> create.invoke(null, same)).getCause().getMessage());
            }
            assertEquals(1, Descriptors.countOf(context.lock()));
            final Path output = directory.resolve("output");
            final Process child = Children.start(ExchangeFileTest.SecondHost.class, output, context.directory);
            assertEquals("another host has the exchange " + context.file() + "\n", Children.end(child, 0, output));
            assertFalse(first.isGuestAttached());
        }
    }
}
