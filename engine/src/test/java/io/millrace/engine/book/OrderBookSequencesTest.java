package io.millrace.engine.book;

import io.millrace.engine.CommandType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Every sequence of a length, out of twelve commands, each from an empty book, compared with the reference as in {@link
 * BookTrial}: 248,832 sequences of five commands. They cover cases that the author of random commands could have
 * forgotten.
 */
class OrderBookSequencesTest
{
    private static final int LETTERS = 12;
    private static final byte BID = Side.BID;
    private static final byte ASK = Side.ASK;
    private static final byte ALLOW = SelfTradePolicy.ALLOW;
    private static final byte NEWEST = SelfTradePolicy.CANCEL_NEWEST;
    private static final byte OLDEST = SelfTradePolicy.CANCEL_OLDEST;
    private static final byte BOTH = SelfTradePolicy.CANCEL_BOTH;
    private static final byte DECREMENT = SelfTradePolicy.DECREMENT;
    /** Capacity for three orders, so that the book is full at times. */
    private static final SymbolSpec SPEC = new SymbolSpec(1, SymbolType.SPOT, 3, 64);

    /** Twelve commands that affect each other. Of an order: id, user, size, price, reserve, parameter. */
    private enum Alphabet
    {
        PLAIN(
            place(OrderType.GTC, BID, ALLOW, 1, 1, 2, 10, 11, 0),
            place(OrderType.GTC, BID, ALLOW, 2, 2, 3, 11, 11, 0),
            place(OrderType.GTC, ASK, ALLOW, 1, 2, 2, 11, 0, 0),
            place(OrderType.GTC, ASK, ALLOW, 3, 1, 4, 10, 0, 0),
            place(OrderType.IOC, ASK, ALLOW, 4, 1, 3, 10, 0, 0),
            place(OrderType.MARKET, BID, ALLOW, 5, 2, 4, 0, 10, 0),
            place(OrderType.FOK_BUDGET, ASK, ALLOW, 6, 2, 4, 42, 0, 0),
            command(CommandType.CANCEL, 1, 1, 0, 0),
            command(CommandType.REDUCE, 3, 1, 2, 0),
            command(CommandType.MOVE, 2, 2, 0, 10),
            command(CommandType.MOVE, 3, 1, 0, 11),
            command(CommandType.REPLACE, 1, 1, 3, 11)),

        STOPS(
            place(OrderType.GTC, BID, ALLOW, 1, 1, 2, 10, 10, 0),
            place(OrderType.GTC, ASK, ALLOW, 2, 2, 2, 11, 0, 0),
            place(OrderType.GTC, ASK, ALLOW, 3, 1, 1, 10, 0, 0),
            place(OrderType.MARKET, BID, ALLOW, 4, 1, 1, 0, 11, 0),
            place(OrderType.STOP, BID, ALLOW, 5, 1, 2, 0, 11, 11),
            place(OrderType.STOP, ASK, NEWEST, 6, 2, 1, 0, 0, 10),
            place(OrderType.STOP_LIMIT, ASK, OLDEST, 7, 2, 3, 10, 0, 11),
            place(OrderType.STOP_LIMIT, BID, DECREMENT, 8, 1, 2, 12, 12, 10),
            command(CommandType.CANCEL, 5, 1, 0, 0),
            command(CommandType.REDUCE, 7, 2, 1, 0),
            command(CommandType.MOVE, 2, 2, 0, 10),
            command(CommandType.CANCEL, 2, 2, 0, 0)),

        NEWER(
            place(OrderType.ICEBERG, BID, ALLOW, 1, 1, 5, 10, 11, 2),
            place(OrderType.GTC, BID, ALLOW, 2, 2, 2, 10, 10, 0),
            place(OrderType.ICEBERG, ASK, ALLOW, 3, 2, 7, 10, 0, 3),
            place(OrderType.GTD, ASK, ALLOW, 4, 1, 2, 11, 0, 5),
            place(OrderType.GTD, BID, OLDEST, 5, 2, 1, 10, 10, 5),
            place(OrderType.POST_ONLY, ASK, ALLOW, 6, 1, 1, 10, 0, 0),
            place(OrderType.FOK, BID, ALLOW, 7, 1, 4, 11, 11, 0),
            place(OrderType.IOC_BUDGET, BID, ALLOW, 8, 1, 5, 43, 43, 0),
            command(CommandType.TICK, 0, 0, 0, 0),
            command(CommandType.REPLACE, 1, 1, 4, 10),
            command(CommandType.REDUCE, 3, 2, 5, 0),
            command(CommandType.MOVE, 1, 1, 0, 11)),

        POLICIES(
            place(OrderType.GTC, BID, ALLOW, 1, 1, 2, 10, 10, 0),
            place(OrderType.ICEBERG, BID, ALLOW, 2, 1, 4, 10, 10, 1),
            place(OrderType.GTC, BID, ALLOW, 3, 2, 3, 9, 9, 0),
            place(OrderType.GTC, ASK, NEWEST, 4, 1, 4, 9, 0, 0),
            place(OrderType.GTC, ASK, OLDEST, 5, 1, 4, 9, 0, 0),
            place(OrderType.GTC, ASK, BOTH, 6, 2, 4, 9, 0, 0),
            place(OrderType.GTC, ASK, DECREMENT, 7, 1, 4, 9, 0, 0),
            place(OrderType.IOC, ASK, DECREMENT, 8, 1, 9, 9, 0, 0),
            place(OrderType.FOK, ASK, OLDEST, 9, 1, 3, 9, 0, 0),
            place(OrderType.MARKET, ASK, NEWEST, 10, 2, 4, 0, 0, 0),
            command(CommandType.MOVE, 4, 1, 0, 10),
            command(CommandType.REPLACE, 7, 1, 6, 10));

        private final RandomCommand[] letters;

        Alphabet(final RandomCommand... letters)
        {
            this.letters = letters;
            assertEquals(LETTERS, letters.length);
        }
    }

    private static RandomCommand place(
        final byte type,
        final byte side,
        final byte selfTrade,
        final long id,
        final long uid,
        final long size,
        final long price,
        final long reserve,
        final long parameter)
    {
        final RandomCommand command = command(CommandType.PLACE, id, uid, size, price);
        command.orderType = type;
        command.side = side;
        command.selfTrade = selfTrade;
        command.reserve = reserve;
        command.parameter = parameter;
        return command;
    }

    private static RandomCommand command(
        final byte type, final long id, final long uid, final long size, final long price)
    {
        final RandomCommand command = new RandomCommand();
        command.type = type;
        command.orderId = id;
        command.uid = uid;
        command.size = size;
        command.price = price;
        command.parameter = 5;
        return command;
    }

    private static void giveAll(final Alphabet alphabet, final int length)
    {
        final BookTally tally = new BookTally();
        final int[] sequence = new int[length];
        int count = 0;
        do
        {
            give(alphabet, sequence, tally);
            count++;
        }
        while (next(sequence));
        assertEquals(Math.pow(LETTERS, length), count);
    }

    /** Inspects where no earlier sequence had the same prefix. */
    private static void give(final Alphabet alphabet, final int[] sequence, final BookTally tally)
    {
        final BookTrial trial = new BookTrial(SPEC, true, tally);
        int lastNotFirst = sequence.length - 1;
        while (lastNotFirst > 0 && sequence[lastNotFirst] == 0)
        {
            lastNotFirst--;
        }
        for (int i = 0; i < sequence.length; i++)
        {
            trial.give(alphabet.letters[sequence[i]], i >= lastNotFirst, text(alphabet, sequence));
        }
    }

    private static Object text(final Alphabet alphabet, final int[] sequence)
    {
        return new Object()
        {
            @Override
            public String toString()
            {
                final List<RandomCommand> commands =
                    Arrays.stream(sequence).mapToObj(letter -> alphabet.letters[letter]).toList();
                return alphabet + " " + commands;
            }
        };
    }

    private static boolean next(final int[] sequence)
    {
        final int at = IntStream.range(0, sequence.length).map(i -> sequence.length - 1 - i)
            .filter(i -> sequence[i] < LETTERS - 1).findFirst().orElse(-1);
        if (at >= 0)
        {
            sequence[at]++;
            Arrays.fill(sequence, at + 1, sequence.length, 0);
        }
        return at >= 0;
    }

    @ParameterizedTest
    @EnumSource
    void shouldMatchTheReferenceInAllSequencesOfFour(final Alphabet alphabet)
    {
        giveAll(alphabet, 4);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("faults")
    void shouldMatchTheReferenceInAllSequencesOfFive(final Alphabet alphabet)
    {
        giveAll(alphabet, 5);
    }
}
