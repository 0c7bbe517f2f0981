package io.millrace.benchmarks.jmh.report;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;

/** Runs a report over JMH benchmarks in this JVM, into a folder of its own. */
abstract class JmhSession
{
    /** JMH allows one run at a time on a machine; a build next to another one is no benchmark. */
    private static final String IGNORE_LOCK = "jmh.ignoreLock";

    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final Properties properties = new Properties();

    @TempDir
    Path folder;

    interface Report
    {
        void run(Properties properties, PrintStream out) throws Exception;
    }

    @BeforeEach
    void ignoreLock()
    {
        System.setProperty(IGNORE_LOCK, "true");
    }

    @AfterEach
    void heedLock()
    {
        System.clearProperty(IGNORE_LOCK);
    }

    final void run(final Report report) throws Exception
    {
        properties.setProperty("report.dir", folder.toString());
        report.run(properties, new PrintStream(out, true, StandardCharsets.UTF_8));
    }
}
