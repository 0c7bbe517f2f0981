package io.millrace.server;

import io.millrace.server.monitor.JmxMonitor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server in JMX. */
class JmxMonitorTest
{
    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldShowTheServer(final ThreadingMode mode) throws Exception
    {
        final ObjectName name = new ObjectName("io.millrace:type=Server,name=jmx-" + mode);
        final Server server = Server.launch(new Server.Context().name("jmx-" + mode).threadingMode(mode)
            .stallTimeoutNs(0).service(new JmxMonitor()).flow("f", f -> f.from(source).to("a", Tick.ignored())));
        source.publish(source.claim());
        assertEquals(1L, beans.getAttribute(name, "f.published"));
        assertEquals("RUNNING", beans.getAttribute(name, "State"));
        assertEquals("UP", beans.getAttribute(name, "Health"));
        assertEquals("paused", beans.invoke(
            name, "execute", new Object[]{"pause a"}, new String[]{String.class.getName()}));
        assertEquals("DEGRADED", beans.getAttribute(name, "Health"));
        assertEquals("'a' is paused", beans.getAttribute(name, "HealthReasons"));
        assertEquals((mode == ThreadingMode.DEDICATED ? "a" : "shared") + " RUNNING",
            beans.getAttribute(name, "Agents"));
        assertEquals("", beans.getAttribute(name, "Errors"));
        assertTrue(((String)beans.getAttribute(name, "Graph")).startsWith("flow f: "));

        final List<MBeanAttributeInfo> attributes = Arrays.asList(beans.getMBeanInfo(name).getAttributes());
        final MBeanAttributeInfo published =
            attributes.stream().filter(each -> each.getName().equals("f.published")).findFirst().orElseThrow();
        assertEquals("long", published.getType());
        assertEquals("events that entered the pipeline (events)", published.getDescription());
        assertFalse(published.isWritable());
        final String[] names = attributes.stream().map(MBeanAttributeInfo::getName).toArray(String[]::new);
        assertEquals(names.length, beans.getAttributes(name, names).size());

        assertThrows(AttributeNotFoundException.class, () -> beans.getAttribute(name, "f.nothing"));
        assertThrows(AttributeNotFoundException.class,
            () -> beans.setAttribute(name, new Attribute("f.published", 7L)));
        assertThrows(ReflectionException.class, () -> beans.invoke(name, "stop", new Object[0], new String[0]));
        assertThrows(ReflectionException.class, () -> beans.invoke(name, "execute", null, null));

        server.stop();
        assertFalse(beans.isRegistered(name));
        server.start();
        assertTrue(beans.isRegistered(name));
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 64);
        final String message = assertThrows(IllegalStateException.class,
            () -> Server.launch(new Server.Context().name("jmx-" + mode).threadingMode(mode)
                .service(new JmxMonitor()).flow("f", f -> f.from(other).to("a", Tick.ignored())))).getMessage();
        assertTrue(message.contains("its own name"), message);
        assertTrue(beans.isRegistered(name), "the other server's bean stays");
        server.close();
        assertFalse(beans.isRegistered(name));
    }
}
