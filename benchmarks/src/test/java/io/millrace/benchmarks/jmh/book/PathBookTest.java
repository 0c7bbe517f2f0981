package io.millrace.benchmarks.jmh.book;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Each path gives the answers of the bare book, lap after lap.
 */
class PathBookTest
{
    @ParameterizedTest
    @ValueSource(strings = {PathBook.SERVER, PathBook.SERVER_BATCH, PathBook.ARRAY, PathBook.RING})
    void shouldAnswerAsTheBareBook(final String name)
    {
        final BookFlow flow = BookFlow.generated(BookLap.TIMED);
        final PathBook path = PathBook.opened(name, flow.commands());
        for (int lap = 0; lap < 2; lap++)
        {
            path.begin(true);
            path.give(0, flow.endTimed());
            assertEquals(BookLap.ANSWER, path.answer());
            path.give(flow.endTimed(), flow.commands().count());
        }
    }
}
