package io.millrace.engine.service;

import io.millrace.pool.testkit.FieldLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The cache lines that an event takes, and the distance of the publisher from its neighbours.
 */
class EventLayoutTest
{
    @ParameterizedTest
    @CsvSource({"io.millrace.engine.service.OrderCommand,112,128", "io.millrace.engine.service.ExecutionEvent,136,144"})
    void shouldEndWithinItsBytes(final String name, final long maxBytes, final long uncompressedMaxBytes)
        throws ClassNotFoundException
    {
        new FieldLayout(Class.forName(name))
            .assertWithin(FieldLayout.hasCompressedPointers() ? maxBytes : uncompressedMaxBytes);
    }

    @Test
    void shouldKeepThePublisherAwayFromItsNeighbours()
    {
        new FieldLayout(ExecutionPublisher.class).assertAlone();
    }
}
