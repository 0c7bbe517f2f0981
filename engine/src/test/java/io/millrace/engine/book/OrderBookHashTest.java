package io.millrace.engine.book;

import io.millrace.engine.CommandType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Books whose future may differ have different hashes. One book gets a sequence of commands, another one the same with
 * one changed field or with two neighbours swapped; the references decide whether that made a difference.
 */
class OrderBookHashTest
{
    private static final int COMMANDS = 60;
    private static final int VARIANTS = 150;

    private static final class Pair
    {
        final OrderBook book;
        final ReferenceBook reference;
        final Tape state = new Tape();

        Pair(final SymbolSpec spec)
        {
            final Tape nobody = new Tape();
            book = new OrderBook(spec, nobody);
            reference = new ReferenceBook(spec, nobody);
        }

        Pair give(final List<RandomCommand> commands)
        {
            for (final RandomCommand command : commands)
            {
                command.giveTo(book);
                command.giveTo(reference);
            }
            BookTrial.record(reference, state);
            return this;
        }
    }

    private static List<RandomCommand> varied(final List<RandomCommand> commands, final Random random)
    {
        final List<RandomCommand> varied = new ArrayList<>(commands);
        final int at = random.nextInt(commands.size() - 1);
        final RandomCommand command = commands.get(at).copy();
        if (command.type != CommandType.PLACE || random.nextInt(4) == 0)
        {
            Collections.swap(varied, at, at + 1);
            return varied;
        }
        switch (random.nextInt(5))
        {
            case 0 -> command.selfTrade = (byte)random.nextInt(5);
            case 1 -> command.uid++;
            case 2 -> command.reserve++;
            case 3 -> command.orderType = command.orderType == OrderType.GTC ? OrderType.POST_ONLY : OrderType.GTC;
            default -> command.parameter++;
        }
        varied.set(at, command);
        return varied;
    }

    @Test
    void shouldHaveAnotherHashForAnotherState()
    {
        shouldHaveAnotherHash(50);
    }

    @Test
    @Tag("faults")
    void shouldHaveAnotherHashForAnotherStateOfTwoHundredSeeds()
    {
        shouldHaveAnotherHash(200);
    }

    private static void shouldHaveAnotherHash(final int seeds)
    {
        int different = 0;
        for (long seed = 1; seed <= seeds; seed++)
        {
            final Random random = new Random(seed);
            final RandomCommands source = new RandomCommands(seed, false);
            final ReferenceBook scratch = new ReferenceBook(source.spec(), new Tape());
            final List<RandomCommand> commands = new ArrayList<>();
            for (int i = 0; i < COMMANDS; i++)
            {
                commands.add(source.next(scratch).copy());
                commands.get(i).giveTo(scratch);
            }
            final Pair one = new Pair(source.spec()).give(commands);
            for (int variant = 0; variant < VARIANTS; variant++)
            {
                final List<RandomCommand> varied = varied(commands, random);
                final Pair other = new Pair(source.spec()).give(varied);
                if (!one.state.isEqualTo(other.state))
                {
                    different++;
                    assertNotEquals(one.book.stateHash(), other.book.stateHash(), "seed " + seed + "\n" +
                        commands + "\n" + varied + "\n" + one.state + "\n" + other.state);
                }
            }
        }
        assertTrue(different > 20 * seeds, different + " different states");
    }
}
