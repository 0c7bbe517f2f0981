package io.millrace.benchmarks.jmh;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Keeps the benchmarks from pinning the threads of the tests.
 */
final class NoPinning implements BeforeAllCallback
{
    @Override
    public void beforeAll(final ExtensionContext context)
    {
        final String before = System.setProperty(Cpus.PROPERTY, "none");
        // The property is read when the class is first used.
        Cpus.pinPublisher();
        if (before == null)
        {
            System.clearProperty(Cpus.PROPERTY);
        }
        else
        {
            System.setProperty(Cpus.PROPERTY, before);
        }
    }
}
