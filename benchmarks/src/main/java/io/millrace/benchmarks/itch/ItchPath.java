package io.millrace.benchmarks.itch;

import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.gateway.itch.ItchBooks;
import io.millrace.gateway.itch.ItchCounters;
import io.millrace.gateway.itch.ItchDescriptor;
import io.millrace.gateway.itch.ItchFrames;
import io.millrace.gateway.itch.ItchHandler;
import io.millrace.gateway.itch.ItchMessage;
import io.millrace.itchbook.MarketByOrderItchBook;

/** One way to go through a stream. Checks its answer after each pass. One thread. */
abstract class ItchPath
{
    final ItchStream stream;

    ItchPath(final ItchStream stream)
    {
        this.stream = stream;
    }

    abstract String name();

    /** Goes through the stream once. */
    abstract void pass();

    void expect(final String what, final long expected, final long found)
    {
        if (expected != found)
        {
            throw new WrongAnswerException(
                stream.name() + ", " + name() + ": " + what + " is " + found + ", not " + expected);
        }
    }

    /** The baseline: switches on the type, and adds the lengths. */
    static final class Lengths extends ItchPath
    {
        static final String TYPES = "A, C, D, E, F, P, R, S, U, X";

        Lengths(final ItchStream stream)
        {
            super(stream);
        }

        @Override
        String name()
        {
            return "lengths only";
        }

        @Override
        void pass()
        {
            expect("sum of the lengths", stream.lengths(), sum(stream.bytes().array(), stream.bytes().limit()));
        }

        /** Of a message of a type; small, so that it is compiled into the loop. */
        static int of(final byte type, final int at)
        {
            return switch (type)
            {
                case 'A' -> 36;
                case 'D' -> 19;
                case 'E' -> 31;
                case 'P' -> 44;
                case 'X' -> 23;
                case 'F' -> 40;
                case 'U' -> 35;
                case 'C' -> 36;
                case 'S' -> 12;
                case 'R' -> 39;
                default -> throw new WrongAnswerException("type '" + (char)type + "' at byte " + at);
            };
        }

        private static long sum(final byte[] bytes, final int end)
        {
            long sum = 0;
            int at = 0;
            while (at < end)
            {
                final int length = of(bytes[at + 2], at);
                sum += length;
                at += 2 + length;
            }
            return sum;
        }
    }

    /** The gateway's decoder, which checks each message and calls back by its type; no field is read. */
    static final class Dispatch extends ItchPath implements ItchHandler
    {
        private final ItchFrames frames = new ItchFrames(new ItchCounters());
        private long lengths;

        Dispatch(final ItchStream stream)
        {
            super(stream);
        }

        @Override
        String name()
        {
            return "decode, no field read";
        }

        @Override
        public boolean onMessage(final ItchMessage m)
        {
            lengths += m.length();
            return true;
        }

        @Override
        public boolean onAdd(final ItchMessage m)
        {
            // A or F: the only types with one callback and two lengths of which the stream has both.
            lengths += m.type() == ItchDescriptor.ADD ?
                ItchDescriptor.ADD_LENGTH : ItchDescriptor.ADD_ATTRIBUTED_LENGTH;
            return true;
        }

        @Override
        public boolean onDelete(final ItchMessage m)
        {
            lengths += ItchDescriptor.DELETE_LENGTH;
            return true;
        }

        @Override
        public boolean onExecute(final ItchMessage m)
        {
            lengths += ItchDescriptor.EXECUTE_LENGTH;
            return true;
        }

        @Override
        public boolean onCancel(final ItchMessage m)
        {
            lengths += ItchDescriptor.CANCEL_LENGTH;
            return true;
        }

        @Override
        public boolean onTrade(final ItchMessage m)
        {
            lengths += ItchDescriptor.TRADE_LENGTH;
            return true;
        }

        @Override
        void pass()
        {
            lengths = 0;
            expect("messages", stream.messages(), frames.decode(
                stream.bytes().array(), 0, stream.bytes().limit(), this, Integer.MAX_VALUE));
            expect("sum of the lengths", stream.lengths(), lengths);
        }
    }

    /** The gateway's decoder, each field of each message. */
    static final class Decode extends ItchPath
    {
        private final FieldSum fields = new FieldSum();
        private final ItchFrames frames = new ItchFrames(new ItchCounters());

        Decode(final ItchStream stream)
        {
            super(stream);
        }

        @Override
        String name()
        {
            return "decode, each field read";
        }

        @Override
        void pass()
        {
            fields.sum = 0;
            expect("messages", stream.messages(),
                frames.decode(stream.bytes().array(), 0, stream.bytes().limit(), fields, Integer.MAX_VALUE));
            expect("sum of the fields", stream.fields(), fields.sum);
        }
    }

    /** The gateway's decoder with all books, and each change of a best bid or offer. */
    static final class Books extends ItchPath implements ItchHandler
    {
        private final MarketByOrderItchBook[] made;
        final ItchBooks books;
        private final ItchFrames frames = new ItchFrames(new ItchCounters());
        private long changes;
        private long expectedChanges;
        private int passes;

        Books(final ItchStream stream, final int orders, final int windowTicks)
        {
            super(stream);
            made = new MarketByOrderItchBook[stream.stocks() + 1];
            books = new ItchBooks((locate, symbol) ->
                made[locate] = new MarketByOrderItchBook(locate, orders, windowTicks));
        }

        private boolean count(final boolean isChange)
        {
            changes += isChange ? 1 : 0;
            return true;
        }

        @Override
        public boolean onMessage(final ItchMessage m)
        {
            return true;
        }

        @Override
        public boolean onAdd(final ItchMessage m)
        {
            return count(books.add(m));
        }

        @Override
        public boolean onDelete(final ItchMessage m)
        {
            return count(books.delete(m));
        }

        @Override
        public boolean onExecute(final ItchMessage m)
        {
            return count(books.execute(m));
        }

        @Override
        public boolean onCancel(final ItchMessage m)
        {
            return count(books.cancel(m));
        }

        @Override
        public boolean onReplace(final ItchMessage m)
        {
            return count(books.replace(m));
        }

        @Override
        String name()
        {
            return "decode and books";
        }

        /** Counts, and compares with what the second pass found; the books are empty again afterwards. */
        @Override
        void pass()
        {
            changes = 0;
            frames.decode(stream.bytes().array(), 0, stream.bytes().limit(), this, Integer.MAX_VALUE);
            // The first pass compares with no earlier prices, each later one with the last prices of the stream.
            expectedChanges = passes++ < 2 ? changes : expectedChanges;
            expect("changes of the best bid or offer", expectedChanges, changes);
            expect("anomalies", 0, books.anomalies());
            for (final MarketByOrderItchBook book : made)
            {
                if (book != null)
                {
                    book.book().clear();
                }
            }
        }

        long changes()
        {
            return expectedChanges;
        }
    }
}
