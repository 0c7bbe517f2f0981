package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Services found by ServiceLoader: {@link FoundHandler} is named under META-INF/services of the test resources.
 */
class DiscoveryTest
{
    @Test
    void shouldConnectAFlowToADiscoveredHandler()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .discoverServices(DiscoveryTest.class.getClassLoader())
            .flow("f", f -> f.from(source).toService("a", FoundHandler.NAME))))
        {
            source.publish(source.claim());
            assertEquals(1, server.invoke());
            assertEquals(1, server.counters().value("found.handled"), "the service adds a counter when it starts");
        }
    }

    @Test
    void shouldFindNothingUnlessEnabled()
    {
        final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class, () -> new Server.Context()
            .flow("f", f -> f.from(new InVmSource<>(Tick::new, 16)).toService("a", FoundHandler.NAME)).conclude());
        assertTrue(ex.getMessage().contains("'found', which is missing: the services are []"), ex.getMessage());
    }

    @Test
    void shouldPreferTheExplicitService()
    {
        final List<String> log = new ArrayList<>();
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .discoverServices(DiscoveryTest.class.getClassLoader())
            .service(new LoggedService(FoundHandler.NAME, log))
            .flow("f", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED))))
        {
            assertEquals(1, log.size());
            assertTrue(server.counters().names().stream().noneMatch("found.handled"::equals));
        }
        assertEquals(2, log.size());
    }

    /** Another service with the name of {@link FoundHandler}. */
    public static final class SameName implements Service
    {
        @Override
        public String name()
        {
            return FoundHandler.NAME;
        }
    }

    @Test
    void shouldRefuseTwoFoundServicesOfOneName(@TempDir final Path folder) throws Exception
    {
        final Path named = folder.resolve("META-INF/services/" + Service.class.getName());
        Files.createDirectories(named.getParent());
        Files.writeString(named, SameName.class.getName() + "\n");
        try (URLClassLoader loader = new URLClassLoader(new URL[]{folder.toUri().toURL()}, getClass().getClassLoader()))
        {
            final Server.Context context = new Server.Context().discoverServices(loader)
                .flow("f", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED));
            final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class, context::conclude);
            assertTrue(ex.getMessage().contains("'" + FoundHandler.NAME + "'"), ex.getMessage());
        }
    }

    @Test
    void shouldPreferTheExplicitServiceToAllDiscovered(@TempDir final Path folder) throws Exception
    {
        final Path named = folder.resolve("META-INF/services/" + Service.class.getName());
        Files.createDirectories(named.getParent());
        Files.writeString(named, SameName.class.getName() + "\n");
        try (URLClassLoader loader = new URLClassLoader(new URL[]{folder.toUri().toURL()}, getClass().getClassLoader()))
        {
            new Server.Context().discoverServices(loader)
                .service(new LoggedService(FoundHandler.NAME, new ArrayList<>()))
                .flow("f", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED)).conclude();
        }
    }

    @Test
    void shouldRefuseAServiceThatCannotBeCreated(@TempDir final Path folder) throws Exception
    {
        final Path named = folder.resolve("META-INF/services/" + Service.class.getName());
        Files.createDirectories(named.getParent());
        Files.writeString(named, "io.millrace.NobodysService\n");
        try (URLClassLoader loader = new URLClassLoader(new URL[]{folder.toUri().toURL()}, getClass().getClassLoader()))
        {
            final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class, () -> new Server.Context()
                .discoverServices(loader)
                .flow("f", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED)).conclude());
            assertTrue(ex.getMessage().contains("io.millrace.NobodysService"), ex.getMessage());
        }
    }

    /** Its class is {@link Tick}, once more, by another class loader. */
    private static final class OtherTick implements HandlerService<Tick>, StageHandler<Tick>
    {
        private final Class<Tick> type = other();
        private final boolean publishes;

        OtherTick(final boolean publishes)
        {
            this.publishes = publishes;
        }

        @SuppressWarnings("unchecked")
        private static Class<Tick> other()
        {
            return (Class<Tick>)new ClassLoader()
            {
                Class<?> define()
                {
                    try (InputStream file = Tick.class.getResourceAsStream("Tick.class"))
                    {
                        final byte[] bytes = file.readAllBytes();
                        return defineClass(Tick.class.getName(), bytes, 0, bytes.length);
                    }
                    catch (final IOException ex)
                    {
                        throw new UncheckedIOException(ex);
                    }
                }
            }.define();
        }

        @Override
        public String name()
        {
            return "other";
        }

        @Override
        public Class<Tick> eventType()
        {
            return publishes ? Tick.class : type;
        }

        @Override
        public void onStart(final HandlerContext context)
        {
            context.publication("f", type);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
        }
    }

    @Test
    void shouldTellTwoClassesOfOneNameApart()
    {
        for (final boolean publishes : new boolean[]{false, true})
        {
            final OtherTick handler = new OtherTick(publishes);
            final String message = assertThrows(RuntimeException.class, () -> Server.launch(new Server.Context()
                .threadingMode(ThreadingMode.INVOKER)
                .flow("f", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", handler)))).getMessage();
            for (final Class<?> type : List.of(Tick.class, handler.type))
            {
                assertTrue(message.contains(type.getName() + " of " + type.getClassLoader()), message);
            }
        }
    }
}
