package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
