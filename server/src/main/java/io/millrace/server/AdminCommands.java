package io.millrace.server;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Commands of an operator, as lines of text: look at a server, pause and resume its parts, and what the application
 * adds. A server opens no port for them, unless it has an {@link io.millrace.server.monitor.AdminConsole}. Any thread
 * except those of the agents.
 */
public final class AdminCommands
{
    private static final class Command
    {
        final String description;
        /** Whether it only reads. */
        final boolean reads;
        final Function<List<String>, String> action;

        Command(final String description, final boolean reads, final Function<List<String>, String> action)
        {
            this.description = description;
            this.reads = reads;
            this.action = action;
        }
    }

    private final Map<String, Command> commands = new TreeMap<>();

    AdminCommands(final Server server)
    {
        look("help", "lists the commands", words -> help());
        look("state", "the state of the server", words -> server.state().toString());
        look("health", "whether the server does its work", words -> server.health().toString());
        look("agents", "the agents and their states", words -> server.agents().entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining("\n")));
        look("graph", "the flows with their stages and agents", words -> server.graph().toString());
        look("flows", "the flows", words -> String.join("\n", server.control().flows()));
        look("stages", "the stages", words -> String.join("\n", server.control().stages()));
        look("counters", "[PREFIX] the counters whose names begin with it", words -> server.counters().all().stream()
            .filter(counter -> words.isEmpty() || counter.name().startsWith(words.get(0)))
            .map(counter -> counter.name() + " " + counter.valueText()).collect(Collectors.joining("\n")));
        look("errors", "the kinds of failures and their numbers", words -> server.errors().stream()
            .map(DistinctError::toString).collect(Collectors.joining("\n")));
        look("stack", "AGENT the stack of its thread", words -> Arrays.stream(server.control().stack(one(words)))
            .map(StackTraceElement::toString).collect(Collectors.joining("\n")));
        add("pause", "PART stops polling a stage or a source", words ->
        {
            server.control().pause(one(words));
            return "paused";
        });
        add("resume", "PART continues to poll it", words ->
        {
            server.control().resume(one(words));
            return "resumed";
        });
    }

    private void look(final String name, final String description, final Function<List<String>, String> action)
    {
        commands.put(name, new Command(description, true, action));
    }

    private String help()
    {
        synchronized (commands)
        {
            return commands.entrySet().stream().map(entry -> entry.getKey() + ": " + entry.getValue().description)
                .collect(Collectors.joining("\n"));
        }
    }

    private static String one(final List<String> words)
    {
        if (words.size() != 1)
        {
            throw new IllegalArgumentException("the command needs one name, not " + words);
        }
        return words.get(0);
    }

    /**
     * Add a command of the application. It stays when the server starts again.
     *
     * @param name        one word, not in use.
     * @param description one sentence; begin it with the words that the command expects, in capitals.
     * @param action      gets the words after the name and returns the answer, on the calling thread. To work on an
     *                    agent's data, use {@link Control#run}.
     * @return this.
     * @throws IllegalArgumentException if the name is in use or is not one word.
     * @throws NullPointerException     if the description or the action is null.
     */
    public AdminCommands add(final String name, final String description, final Function<List<String>, String> action)
    {
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(action, "action");
        synchronized (commands)
        {
            if (!name.matches("\\S+") || commands.putIfAbsent(name, new Command(description, false, action)) != null)
            {
                throw new IllegalArgumentException("command '" + name + "' is not one word or exists already");
            }
        }
        return this;
    }

    /**
     * Carry out one command.
     *
     * @param line its name and its words, separated by spaces.
     * @return the answer; lines are separated by a line feed.
     * @throws IllegalArgumentException if the command does not exist, or a word is wrong; the message names what there
     *                                  is.
     * @throws IllegalStateException    if the server does not run and the command changes it.
     */
    public String execute(final String line)
    {
        final List<String> words = words(line);
        return command(words.get(0)).action.apply(words.subList(1, words.size()));
    }

    /**
     * Whether a command only reads. The commands of the application, {@code pause} and {@code resume} may change the
     * server.
     *
     * @param line as for {@link #execute}.
     * @return true if it changes nothing.
     * @throws IllegalArgumentException if the command does not exist; the message names those that there are.
     */
    public boolean onlyReads(final String line)
    {
        return command(words(line).get(0)).reads;
    }

    private static List<String> words(final String line)
    {
        return Arrays.asList(line.trim().split("\\s+"));
    }

    private Command command(final String name)
    {
        synchronized (commands)
        {
            final Command command = commands.get(name);
            if (command == null)
            {
                throw new IllegalArgumentException("no command '" + name + "': there are " + commands.keySet());
            }
            return command;
        }
    }
}
