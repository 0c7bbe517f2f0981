package io.millrace.testing;

import io.millrace.server.Server;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * A JUnit 5 extension: starts a {@link TestServer} before each test, and closes and checks it after the test. Register
 * it in a field with {@code RegisterExtension}, not static; a test may have the server as a parameter.
 */
public final class ServerExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver
{
    private final Supplier<Server.Context> definition;
    private TestServer testServer;

    /**
     * An extension for one server.
     *
     * @param definition makes a new context for each test, with sources and handlers of that test.
     */
    public ServerExtension(final Supplier<Server.Context> definition)
    {
        this.definition = Objects.requireNonNull(definition, "definition");
    }

    /** @return the server of the present test; null between tests. */
    public TestServer testServer()
    {
        return testServer;
    }

    @Override
    public void beforeEach(final ExtensionContext context)
    {
        testServer = TestServer.start(definition.get());
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        final TestServer ended = testServer;
        testServer = null;
        if (ended != null)
        {
            ended.close();
        }
    }

    @Override
    public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context)
    {
        return parameter.getParameter().getType() == TestServer.class;
    }

    @Override
    public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context)
    {
        if (testServer == null)
        {
            throw new ParameterResolutionException(
                "a TestServer is there for each test, not for a constructor or a method before all tests");
        }
        return testServer;
    }
}
