package io.millrace.benchmarks.jmh.book.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.millrace.benchmarks.flow.ClosingCancels;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.jmh.book.BookContender;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;

class BookLayoutTest
{
    private static final int TIMED = 20_000;

    private final CommandColumns commands = OrderFlow.of(OrderFlow.SYMBOL, 1, TIMED);
    private final int endTimed = commands.count();

    static Stream<String> layouts() throws NoSuchFieldException
    {
        return Arrays.stream(BookLayout.class.getDeclaredField("contender").getAnnotation(Param.class).value())
            .filter(name -> !name.equals(BookContender.LOOP));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void shouldGiveTheAnswerOfTheCompleteBookInEachLap(final String layout)
    {
        ClosingCancels.appendTo(commands, SymbolSpec.future(OrderFlow.SYMBOL));
        final BookContender complete = BookContender.named(BookContender.MILLRACE, commands);
        final BookContender book = BookLayout.book(layout, commands);
        for (int lap = 0; lap < 2; lap++)
        {
            complete.begin(true);
            book.begin(true);
            complete.give(0, endTimed);
            book.give(0, endTimed);
            assertEquals(complete.answer(), book.answer());
            complete.give(endTimed, commands.count());
            book.give(endTimed, commands.count());
            assertEquals(0, book.answer().resting());
        }
    }

    @Test
    void shouldFindTheSameLevelsInEveryDirectory()
    {
        final long seed = System.nanoTime();
        System.out.println("BookLayoutTest: seed " + seed);
        for (final LevelDirectory directory :
            List.of(new LadderDirectory(), new SortedDirectory(), new TreeDirectory()))
        {
            final Random random = new Random(seed);
            final TreeSet<Long> expected = new TreeSet<>();
            final int side = Side.BID;
            for (int i = 0; i < 20_000; i++)
            {
                // In two dense places that are far apart, so that every storey of the bitmap is crossed.
                final long price = random.nextInt(600) + (random.nextBoolean() ? 0 : LadderDirectory.PRICES - 600);
                final int level = directory.enter(side, price);
                if (!expected.add(price) && random.nextInt(3) > 0)
                {
                    directory.vacate(side, level);
                    expected.remove(price);
                }
            }
            final List<Long> found = new ArrayList<>();
            for (int at = directory.best(side); at != LevelDirectory.NONE; at = directory.worse(side, at))
            {
                found.add(LevelDirectory.key(side, directory.keyOf(side, at)));
            }
            assertEquals(new ArrayList<>(expected.descendingSet()), found, directory::toString);
        }
    }
}
