package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.HugePages;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts exchange-core's pipeline in its own JVM, with the Disruptor that it was made for in front of ours, which
 * it does not run on. Stateless; any thread.
 */
public final class RivalStart implements ExchangeRival
{
    /** Property with the path of the Disruptor's file; the profiles put it there. */
    private static final String DISRUPTOR = "exchange.disruptor";

    // A round leaves 43 bytes a command behind, 130 MB, in addition to 250 MB of commands: no collection in a timed
    // part.
    private static final int HEAP_MB = 1_024;
    // A million orders with their trees, and 100,000,000 bytes of commands more.
    private static final int MEDIUM_HEAP_MB = 3_072;

    // Packages that its library for messages looks up by reflection, on JDK 17.
    private static final List<String> OPENINGS = List.of(
        "--add-opens", "java.base/java.lang=ALL-UNNAMED",
        "--add-opens", "java.base/java.nio=ALL-UNNAMED",
        "--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-exports", "java.base/jdk.internal.ref=ALL-UNNAMED");

    @Override
    public ChildProcess<? extends ExchangePath> start(final ExchangeSetup setup, final String file) throws IOException
    {
        final String disruptor = System.getProperty(DISRUPTOR, "");
        if (!Files.isReadable(Path.of(disruptor)))
        {
            throw new IOException("exchange-core's own Disruptor is not there: -D" + DISRUPTOR + "=" + disruptor);
        }
        if (!isThere())
        {
            throw new IOException("exchange-core is not on the class path: its classes are left from another build");
        }
        if (!isOldEnough())
        {
            throw new IOException("exchange-core 0.5.3 needs what JDK 17 has and " + Runtime.version().feature() +
                " has not: its Chronicle Bytes 2.19 unmaps files by a private method of the JDK");
        }
        final List<String> flags = new ArrayList<>(heap(setup));
        flags.addAll(HugePages.flags());
        flags.addAll(OPENINGS);
        // Of two files with the same class the first counts.
        final String classPath = disruptor + File.pathSeparator + System.getProperty("java.class.path");
        return ChildProcess.start("exchange-core", classPath, flags,
            () -> new RivalRunner(ExchangeFlow.read(Path.of(file))));
    }

    private static List<String> heap(final ExchangeSetup setup)
    {
        final int heapMb = setup == ExchangeSetup.MEDIUM ? MEDIUM_HEAP_MB : HEAP_MB;
        return List.of("-Xms" + heapMb + "m", "-Xmx" + heapMb + "m");
    }

    private static boolean isThere()
    {
        try
        {
            Class.forName("exchange.core2.core.ExchangeCore", false, RivalStart.class.getClassLoader());
            return true;
        }
        catch (final ClassNotFoundException ex)
        {
            return false;
        }
    }

    private static boolean isOldEnough()
    {
        try
        {
            Class.forName("sun.nio.ch.FileChannelImpl").getDeclaredMethod("unmap0", long.class, long.class);
            return true;
        }
        catch (final ReflectiveOperationException ex)
        {
            return false;
        }
    }

    @Override
    public List<String> lines()
    {
        return List.of(
            "exchange-core: 0.5.3 on Disruptor 3.4.2, direct books, 1 risk and 1 matching engine, no journal",
            "exchange-core waits: YIELDING; source, grouping and risk on the first CPU, matching and results on the " +
                "second",
            "exchange-core JVM: heap " + HEAP_MB + " MB, medium " + MEDIUM_HEAP_MB + " MB, " +
                String.join(" ", HugePages.flags()) + " " + String.join(" ", OPENINGS));
    }
}
