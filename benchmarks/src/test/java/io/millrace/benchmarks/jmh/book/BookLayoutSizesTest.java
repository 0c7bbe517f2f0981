package io.millrace.benchmarks.jmh.book;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.stream.Stream;

import io.millrace.engine.book.SymbolSpec;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;

class BookLayoutSizesTest
{
    static Stream<String> sizes() throws NoSuchFieldException
    {
        return Arrays.stream(BookLayoutSizes.class.getDeclaredField("contender").getAnnotation(Param.class).value());
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldComeToTheSameAnswerWithOtherLimits(final String sizes)
    {
        final BookFlow flow = BookFlow.generated(BookLap.TIMED);
        final SymbolSpec spec = BookLayoutSizes.spec(sizes);
        assertEquals(sizes, spec.windowTicks() + "ticks" + spec.orderCapacity() + "orders");
        final BookContender book = BookLayoutSizes.book(flow.commands(), sizes);
        final BookContender usual = BookContender.named(BookContender.MILLRACE, flow.commands());
        book.give(0, flow.endTimed());
        usual.give(0, flow.endTimed());
        assertEquals(usual.answer(), book.answer());
    }
}
