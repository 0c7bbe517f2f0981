package io.millrace.exchange;

import io.millrace.exchange.fix.FixFuzz;
import io.millrace.exchange.ouch.OuchFuzz;
import io.millrace.testing.Fuzzer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;

/** T4: a fuzzer sends streams to an exchange, and bytes to its codecs; it follows their branches. */
class ExchangeFuzzTest
{
    private static final int HEAP_MB = 384;
    private static final int LONGEST = 400;

    static List<Class<?>> targets()
    {
        return List.of(ExchangeFuzz.class, OuchFuzz.class, FixFuzz.class);
    }

    @ParameterizedTest
    @MethodSource("targets")
    void t4ShouldSurviveTheInputsThatAFuzzerKept(final Class<?> target) throws Exception
    {
        final Method method = target.getMethod("fuzzerTestOneInput", byte[].class);
        for (final byte[] input : Fuzzer.corpus(target))
        {
            method.invoke(null, input);
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Tag("faults")
    void t4ShouldSurviveTheInputsOfAFuzzer(final Class<?> target, @TempDir final Path folder) throws Exception
    {
        Fuzzer.run(target, HEAP_MB, folder, Fuzzer.begin(target, folder), "-max_total_time=" + Fuzzer.seconds(),
            "-max_len=" + LONGEST);
    }
}
