package io.millrace.pool;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.FieldLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Memory layout: fields that one thread writes are two cache lines away from fields that others read.
 */
final class PoolLayoutTest
{
    /** In a JVM of its own. */
    public static void main(final String[] args)
    {
        final PoolLayoutTest test = new PoolLayoutTest();
        test.shouldKeepAllFieldsOfARingPoolAwayFromItsNeighbours();
        test.shouldKeepAPaddedLongOnItsOwnCacheLine();
        test.shouldKeepFieldsOfTheAcquiringThreadAwayFromSharedOnes();
        test.shouldKeepTheClaimWordOfASharedRingAwayFromFieldsThatAreRead();
        test.shouldKeepBothWordsOfAnEventInItsFirst32Bytes();
    }

    /** ZGC does not compress references. JDK 24 and later have compact headers. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers",
        "-XX:-UseCompressedOops -XX:-UseCompressedClassPointers", "-XX:ObjectAlignmentInBytes=16",
        "-XX:+UseCompactObjectHeaders", "-XX:+UseCompactObjectHeaders -XX:-UseCompressedOops"})
    void shouldKeepTheDistancesInEachLayoutOfAJvm(final String options) throws IOException, InterruptedException
    {
        new FieldLayout(PaddedLong.class);
        final ChildJvm child = new ChildJvm().flags("-XX:+IgnoreUnrecognizedVMOptions").flags(options.split(" "))
            .run(PoolLayoutTest.class);
        assertEquals(0, child.exitCode, child::toString);
    }

    @Test
    void shouldKeepAllFieldsOfARingPoolAwayFromItsNeighbours()
    {
        new FieldLayout(RingPool.class).assertAlone();
    }

    @Test
    void shouldKeepAPaddedLongOnItsOwnCacheLine()
    {
        new FieldLayout(PaddedLong.class).assertAlone(Set.of("value"));
    }

    @Test
    void shouldKeepFieldsOfTheAcquiringThreadAwayFromSharedOnes()
    {
        new FieldLayout(RingPool.class).assertAlone(Set.of("claimed", "published", "padsAhead", "limit", "freeTo",
            "owner", "refusals", "reused"));
    }

    @Test
    void shouldKeepTheClaimWordOfASharedRingAwayFromFieldsThatAreRead()
    {
        new FieldLayout(SharedRingPool.class).assertAlone(Set.of("claim", "limit", "refusals", "first"));
    }

    @Test
    void shouldKeepBothWordsOfAnEventInItsFirst32Bytes()
    {
        final FieldLayout layout = new FieldLayout(BasePoolAware.class);
        layout.assertWithin(32, Set.of("sequence", "state"));
        layout.assertWithin(FieldLayout.hasCompressedPointers() ? 32 : 40, Set.of("owner"));
    }
}
