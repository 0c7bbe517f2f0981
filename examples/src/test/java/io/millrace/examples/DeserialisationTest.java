package io.millrace.examples;

import io.millrace.engine.MatchingEngine;
import io.millrace.exchange.Exchange;
import io.millrace.gateway.BboEvent;
import io.millrace.ipc.ExchangeHost;
import io.millrace.journal.Journal;
import io.millrace.pool.BasePoolAware;
import io.millrace.pool.testkit.ModuleClasses;
import io.millrace.server.Server;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A2: no module that reads files, sockets or shared memory makes objects of classes that its input names. */
class DeserialisationTest
{
    private static final List<String> FORBIDDEN = List.of("java/io/ObjectInput", "java/beans/XMLDecoder",
        "java/rmi/", "javax/naming/");

    @ParameterizedTest
    @ValueSource(classes = {BasePoolAware.class, Server.class, Journal.class, MatchingEngine.class, BboEvent.class,
        ExchangeHost.class, Exchange.class})
    void shouldReadNoJavaObjects(final Class<?> module) throws IOException
    {
        final List<String> names = ModuleClasses.beside(module);
        final List<String> found = new ArrayList<>();
        for (final String name : names)
        {
            final String resource = "/" + name.replace('.', '/') + ".class";
            try (InputStream file = module.getResourceAsStream(resource))
            {
                final String constants = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
                FORBIDDEN.stream().filter(constants::contains).forEach(each -> found.add(name + " has " + each));
            }
        }
        assertTrue(names.size() > 15, "only " + names);
        assertEquals(List.of(), found);
    }
}
