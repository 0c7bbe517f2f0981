package io.millrace.journal;

import io.millrace.server.Flow;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What the simulator runs in this module: accounts that apply each request of a client once, however often it is sent.
 * Some requests are poison.
 */
final class Requests implements SimApplication<Command>
{
    static final int CLIENTS = 8;
    private static final int APPLIED = 1;
    private static final int DUPLICATE = 2;
    /** One request in so many. */
    private static final int POISON = 400;
    /** More than are in flight. */
    private static final int WINDOW = 2_048;

    private Handler current;

    /** Accounts, and the last request of each client. */
    private static final class Handler implements DurableHandler<Command>
    {
        private final Answers answers;
        private final Accounts accounts = new Accounts();
        private final long[] last = new long[CLIENTS];
        private final int[] results = new int[WINDOW];
        private final long[] hashes = new long[WINDOW];

        private Handler(final Answers answers)
        {
            this.answers = answers;
            Arrays.fill(last, -1);
        }

        private int apply(final Command command)
        {
            if (isPoisonous(command.value))
            {
                throw new IllegalArgumentException("poison " + command.value);
            }
            final int client = (int)(command.value >>> 32);
            if ((int)command.value <= last[client])
            {
                return DUPLICATE;
            }
            last[client] = (int)command.value;
            accounts.apply(command.value);
            return APPLIED;
        }

        @Override
        public void onEvent(final Command event, final long sequence, final boolean endOfBatch)
        {
            final int at = (int)sequence % WINDOW;
            results[at] = apply(event);
            hashes[at] = stateHash();
            answers.onState(sequence, hashes[at]);
        }

        @Override
        public void writeTo(final SnapshotOutput out) throws IOException
        {
            accounts.writeTo(out);
            for (final long number : last)
            {
                out.putLong(number);
            }
        }

        @Override
        public void readFrom(final SnapshotInput in) throws IOException
        {
            accounts.readFrom(in);
            for (int i = 0; i < CLIENTS; i++)
            {
                last[i] = in.getLong();
            }
        }

        @Override
        public long stateHash()
        {
            long hash = accounts.stateHash();
            for (final long number : last)
            {
                hash = hash * 31 + number;
            }
            return hash;
        }
    }

    private static long mix(final long value)
    {
        final long mixed = (value + 1) * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ mixed >>> 29;
    }

    static boolean isPoisonous(final long value)
    {
        return Math.floorMod(mix(value), POISON) == 0;
    }

    @Override
    public JournalContext<Command> context(final Path directory)
    {
        return new JournalContext<>(directory, new Command.Codec(), Command::new);
    }

    @Override
    public void addFlows(
        final Server.Context server, final Journal<Command> journal, final InVmSource<Command> commands,
        final String topology, final Answers answers)
    {
        final Handler handler = new Handler(answers);
        current = handler;
        final long[] record = {-1};
        server.flow("commands", f ->
        {
            final Flow<Command> flow = f.from(commands).to("journal", journal.stage());
            return flow.to("handler", journal.recovering(handler),
                topology.equals("serial") ? new String[] {"journal"} : new String[0])
                .to("answers", (command, sequence, endOfBatch) ->
                {
                    record[0] = record[0] < 0 ? journal.report().sequence() + 1 : record[0] + 1;
                    final int at = (int)record[0] % WINDOW;
                    answers.onAnswer(record[0], clientOf(command), numberOf(command), handler.results[at],
                        handler.hashes[at]);
                }, "journal", "handler");
        });
    }

    @Override
    public List<String> topologies()
    {
        return List.of("serial", "parallel");
    }

    @Override
    public long stateHash()
    {
        return current.stateHash();
    }

    @Override
    public DurableHandler<Command> copy(final Journal<Command> journal, final Answers states)
    {
        return new Handler(states);
    }

    @Override
    public Reference<Command> reference()
    {
        final Handler reference = new Handler(null);
        return new Reference<>()
        {
            @Override
            public int apply(final Command command)
            {
                return reference.apply(command);
            }

            @Override
            public long stateHash()
            {
                return reference.stateHash();
            }
        };
    }

    @Override
    public Command command()
    {
        return new Command();
    }

    @Override
    public void fill(final Command command, final int client, final long number)
    {
        command.value = (long)client << 32 | number;
        command.extra = (int)Math.floorMod(mix(command.value) >> 8, Command.MAX_EXTRA + 1L);
    }

    @Override
    public int clientOf(final Command command)
    {
        return (int)(command.value >>> 32);
    }

    @Override
    public long numberOf(final Command command)
    {
        return (int)command.value;
    }

    @Override
    public boolean isPoison(final Command command)
    {
        return isPoisonous(command.value);
    }

    @Override
    public boolean hasPoison()
    {
        return true;
    }

    @Override
    public boolean isExpected(final Throwable failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause instanceof IllegalArgumentException && cause.getMessage().startsWith("poison"))
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isOnce(final Command command, final int result)
    {
        return result == APPLIED;
    }
}
