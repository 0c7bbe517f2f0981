package io.millrace.server.monitor;

import io.millrace.server.Counter;
import io.millrace.server.Server;
import io.millrace.server.Service;
import io.millrace.server.ServiceContext;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;

/**
 * Shows a server in JMX, as the MBean {@code io.millrace:type=Server,name=NAME} of the platform's MBean server: the
 * state, the health, the agents and failures as attributes, each counter as an attribute of its name, and the
 * operation {@code execute} for {@link io.millrace.server.AdminCommands}. Values are read when they are asked for; it
 * costs nothing meanwhile. Whoever may use the JVM's JMX may use the commands.
 * <p>
 * Two running servers of a JVM that have a monitor each need different names.
 */
public final class JmxMonitor implements Service
{
    private static final String STRING = String.class.getName();

    /** What is shown besides the counters. */
    private enum Shown
    {
        STATE("State", "state of the server", server -> server.state().toString()),
        HEALTH("Health", "UP, DEGRADED or DOWN", server -> server.health().status().toString()),
        REASONS("HealthReasons", "why it is not UP, one sentence a line",
            server -> String.join("\n", server.health().reasons())),
        AGENTS("Agents", "each agent and its state, one a line", server -> server.agents().entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining("\n"))),
        ERRORS("Errors", "each kind of failure and its number, one a line", server -> server.errors().stream()
            .map(Object::toString).collect(Collectors.joining("\n"))),
        GRAPH("Graph", "the flows with their stages and agents", server -> server.graph().toString());

        final String attribute;
        final String description;
        final Function<Server, String> value;

        Shown(final String attribute, final String description, final Function<Server, String> value)
        {
            this.attribute = attribute;
            this.description = description;
            this.value = value;
        }
    }

    private static final class ServerBean implements DynamicMBean
    {
        private final Server server;

        ServerBean(final Server server)
        {
            this.server = server;
        }

        private Map<String, Counter> counters()
        {
            return server.counters().all().stream().collect(
                Collectors.toMap(Counter::name, Function.identity(), (first, second) -> second, TreeMap::new));
        }

        @Override
        public Object getAttribute(final String attribute) throws AttributeNotFoundException
        {
            for (final Shown shown : Shown.values())
            {
                if (shown.attribute.equals(attribute))
                {
                    return shown.value.apply(server);
                }
            }
            final Counter counter = counters().get(attribute);
            if (counter == null)
            {
                throw new AttributeNotFoundException("no attribute or counter '" + attribute + "'");
            }
            return counter.value();
        }

        @Override
        public AttributeList getAttributes(final String[] attributes)
        {
            final AttributeList list = new AttributeList();
            for (final String attribute : attributes)
            {
                try
                {
                    list.add(new Attribute(attribute, getAttribute(attribute)));
                }
                catch (final Throwable ignored)
                {
                    // By the contract it is left out, as is a counter whose function throws.
                }
            }
            return list;
        }

        @Override
        public void setAttribute(final Attribute attribute) throws AttributeNotFoundException
        {
            throw new AttributeNotFoundException("attribute '" + attribute.getName() + "' is read only");
        }

        @Override
        public AttributeList setAttributes(final AttributeList attributes)
        {
            return new AttributeList();
        }

        @Override
        public Object invoke(final String operation, final Object[] parameters, final String[] signature)
            throws ReflectionException
        {
            // A call without parameters may have null.
            if (!operation.equals("execute") || parameters == null || parameters.length != 1 ||
                !(parameters[0] instanceof String))
            {
                throw new ReflectionException(new NoSuchMethodException(operation), "the operation is execute(String)");
            }
            return server.admin().execute((String)parameters[0]);
        }

        @Override
        public MBeanInfo getMBeanInfo()
        {
            final List<MBeanAttributeInfo> attributes = new ArrayList<>();
            for (final Shown shown : Shown.values())
            {
                attributes.add(
                    new MBeanAttributeInfo(shown.attribute, STRING, shown.description, true, false, false));
            }
            counters().values().forEach(counter -> attributes.add(new MBeanAttributeInfo(counter.name(),
                long.class.getName(), counter.description() + " (" + counter.unit() + ")", true, false, false)));
            final MBeanOperationInfo execute = new MBeanOperationInfo("execute", "carries out a command, see 'help'",
                new MBeanParameterInfo[]{new MBeanParameterInfo("line", STRING, "the command and its words")}, STRING,
                MBeanOperationInfo.ACTION);
            return new MBeanInfo(Server.class.getName(), "a server of Millrace",
                attributes.toArray(new MBeanAttributeInfo[0]), null, new MBeanOperationInfo[]{execute}, null);
        }
    }

    private ObjectName registered;

    /** A monitor for one server. */
    public JmxMonitor()
    {
    }

    /** @return {@code jmx-monitor}. */
    @Override
    public String name()
    {
        return "jmx-monitor";
    }

    @Override
    public void onStart(final ServiceContext context) throws JMException
    {
        final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        final ObjectName bean = new ObjectName("io.millrace:type=Server,name=" + context.serverName());
        if (beans.isRegistered(bean))
        {
            throw new IllegalStateException("JMX has a bean " + bean + " already: give each server its own name");
        }
        beans.registerMBean(new ServerBean(context.server()), bean);
        registered = bean;
    }

    @Override
    public void close()
    {
        if (registered == null)
        {
            return;
        }
        try
        {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
        }
        catch (final JMException ignored)
        {
            // Somebody else has removed it.
        }
        registered = null;
    }
}
