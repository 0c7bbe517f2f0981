package io.millrace.journal;

import io.millrace.pool.Range;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Inspects a journal from outside, and makes the changes that only an operator may decide. Run it with {@code --help}.
 */
public final class JournalInspector
{
    /** Everything is as it should be. */
    public static final int OK = 0;
    /** The journal is damaged, or two journals differ. */
    public static final int DAMAGED = 1;
    /** The arguments are wrong. */
    public static final int USAGE = 2;
    /** The journal is in use, cannot be read, or is of another format; or the output could not be written. */
    public static final int UNUSABLE = 3;

    private static final List<String> HELP = List.of(
        "JournalInspector COMMAND DIRECTORY",
        "",
        "  --list              segments, snapshots, mark, skipped records",
        "  --verify            reads every record and snapshot and checks all that can be checked",
        "  --print [FROM [TO]] one line for each record: sequence, time, segment:offset, committed, payload in hex",
        "  --compare OTHER     the first record in which two journals differ",
        "  --truncate-at N     keeps the records up to N and removes all that follow, for good",
        "  --skip-sequence N   recovery leaves record N out from now on",
        "  --retry             forgets failed starts, so that the next one replays again: the handler is mended",
        "  --help              this text",
        "",
        "The options that take a value take it before DIRECTORY: JournalInspector --skip-sequence 42 /var/journal",
        "--list and --print only read, also while the journal is in use. The others need it for themselves.",
        "Exit code: 0 fine, 1 damaged or different, 2 bad arguments, 3 in use, unreadable, other format, no journal,",
        "or not all of the output could be written.");

    private final PrintStream out;
    private final PrintStream err;

    JournalInspector(final PrintStream out, final PrintStream err)
    {
        this.out = out;
        this.err = err;
    }

    /**
     * Run a command and end the process with its exit code.
     *
     * @param arguments see {@code --help}.
     */
    public static void main(final String[] arguments)
    {
        System.exit(new JournalInspector(System.out, System.err).run(arguments));
    }

    int run(final String... arguments)
    {
        final int code = code(List.of(arguments));
        // A print stream throws no exceptions. A code of damage says more.
        if (code == OK && out.checkError())
        {
            err.println("could not write all of the output");
            return UNUSABLE;
        }
        return code;
    }

    private int code(final List<String> given)
    {
        if (given.contains("--help"))
        {
            HELP.forEach(out::println);
            return OK;
        }
        try
        {
            return run(given);
        }
        catch (final InvalidPathException ex)
        {
            err.println("'" + ex.getInput().replace('\0', '?') + "' is no path: " + ex.getReason() +
                "; the encoding of file names is " + System.getProperty("sun.jnu.encoding"));
            return USAGE;
        }
        catch (final NumberFormatException ex)
        {
            err.println(ex.getMessage());
            return USAGE;
        }
        catch (final JournalException ex)
        {
            err.println(ex.getMessage());
            return ex.kind() == JournalException.Kind.DAMAGED ? DAMAGED : UNUSABLE;
        }
        catch (final IOException ex)
        {
            err.println(ex.toString());
            return UNUSABLE;
        }
    }

    private int run(final List<String> given) throws IOException
    {
        final String command = given.isEmpty() ? "" : given.get(0);
        final boolean withValue = List.of("--compare", "--truncate-at", "--skip-sequence").contains(command);
        final boolean fits = command.equals("--print") ? given.size() >= 2 && given.size() <= 4 :
            given.size() == (withValue ? 3 : 2) &&
                (withValue || List.of("--list", "--verify", "--retry").contains(command));
        if (!fits)
        {
            err.println((given.isEmpty() ? "no arguments" : "wrong arguments: " + String.join(" ", given)) +
                "; see --help");
            return USAGE;
        }
        final Path directory = Path.of(given.get(given.size() - 1));
        final String value = given.get(1);
        checkJournal(directory);
        final Inspection inspection = new Inspection(new SystemFiles(), directory, out);
        switch (command)
        {
            case "--list":
                return inspection.list();
            case "--print":
                return inspection.print(given.size() > 2 ? sequence(value) : 1,
                    given.size() > 3 ? sequence(given.get(2)) : Long.MAX_VALUE);
            case "--verify":
                return inspection.verify();
            case "--retry":
                return inspection.retry();
            case "--compare":
                checkJournal(Path.of(value));
                return inspection.compare(Path.of(value));
            case "--truncate-at":
                return new JournalCut(new SystemFiles(), directory, out).keepUpTo(sequence(value));
            default:
                return inspection.skip(sequence(value));
        }
    }

    /** An empty journal is good: so the folder above it, or any other one, would pass a verification. */
    private static void checkJournal(final Path directory) throws IOException
    {
        if (Files.isDirectory(directory) && new SystemFiles().list(directory).stream().noneMatch(name ->
            Segment.idOf(name) != 0 || Snapshots.isName(name) || name.equals(CommitMark.NAME) ||
            name.equals(JournalDirectory.LOCK)))
        {
            throw new JournalException(JournalException.Kind.UNUSABLE,
                directory + " has no file of a journal: is it another folder?");
        }
    }

    private static long sequence(final String text)
    {
        try
        {
            return Range.check("sequence", Long.parseLong(text), 1, Long.MAX_VALUE);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new NumberFormatException("sequence " + text + " is not a number in 1.." + Long.MAX_VALUE);
        }
    }
}
