package io.millrace.exchange.run;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.YamlUnicodeReader;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A text, a list or a map of a YAML file, with its line. Only these three exist: no tag, no anchor, no alias, no second
 * document, no key twice. A value is a text until somebody asks for a number. So a file can neither make an object of a
 * class nor grow when it is read.
 */
final class YamlNode
{
    static final int MAX_BYTES = 1 << 16;
    static final int MAX_DEPTH = 8;

    /** File and line, or an option. */
    private final String place;
    private final String text;
    private final List<YamlNode> items = new ArrayList<>();
    private final Map<String, YamlNode> fields = new LinkedHashMap<>();
    private final boolean isMap;

    private YamlNode(final String place, final String text, final boolean isMap)
    {
        this.place = place;
        this.text = text;
        this.isMap = isMap;
    }

    /** A value of the command line, for the same checks. */
    static YamlNode option(final String name, final String text)
    {
        return new YamlNode(name, text, false);
    }

    /**
     * Reads a file.
     *
     * @throws SettingsException with the place.
     */
    static YamlNode read(final Path path)
    {
        final byte[] bytes;
        try (InputStream in = Files.newInputStream(path))
        {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        catch (final IOException ex)
        {
            throw new SettingsException(path + ": cannot be read: " + ex);
        }
        if (bytes.length > MAX_BYTES)
        {
            throw new SettingsException(path + ":1: the file is longer than " + MAX_BYTES + " bytes");
        }
        return parse(path.toString(), bytes);
    }

    static YamlNode parse(final String file, final byte[] bytes)
    {
        final LoadSettings settings = LoadSettings.builder().setLabel(file).build();
        final Iterator<Event> events = new ParserImpl(settings,
            new StreamReader(settings, new YamlUnicodeReader(new ByteArrayInputStream(bytes))));
        try
        {
            events.next();
            Event event = events.next();
            if (event.getEventId() == Event.ID.StreamEnd)
            {
                throw new SettingsException(file + ":1: the file is empty");
            }
            final YamlNode root = node(file, events, events.next(), 1);
            events.next();
            event = events.next();
            if (event.getEventId() != Event.ID.StreamEnd)
            {
                throw error(file, event, "a second document is not allowed");
            }
            return root;
        }
        catch (final MarkedYamlEngineException ex)
        {
            throw new SettingsException(file + ":" + line(ex.getProblemMark()) + ": " + oneLine(ex.getProblem()));
        }
        catch (final YamlEngineException ex)
        {
            throw new SettingsException(file + ":1: " + oneLine(ex.getMessage()));
        }
    }

    private static int line(final Optional<Mark> mark)
    {
        return mark.isPresent() ? mark.get().getLine() + 1 : 1;
    }

    private static String oneLine(final String message)
    {
        return message == null ? "it is no YAML" : message.lines().findFirst().orElse("it is no YAML");
    }

    private static SettingsException error(final String file, final Event event, final String message)
    {
        return new SettingsException(file + ":" + line(event.getStartMark()) + ": " + message);
    }

    private static YamlNode node(
        final String file, final Iterator<Event> events, final Event first, final int depth)
    {
        if (depth > MAX_DEPTH)
        {
            throw error(file, first, "nested more than " + MAX_DEPTH + " deep");
        }
        check(file, first);
        final String place = file + ":" + line(first.getStartMark());
        if (first instanceof ScalarEvent)
        {
            return new YamlNode(place, ((ScalarEvent)first).getValue(), false);
        }
        final boolean isMap = first instanceof MappingStartEvent;
        final YamlNode node = new YamlNode(place, null, isMap);
        final Event.ID end = isMap ? Event.ID.MappingEnd : Event.ID.SequenceEnd;
        for (Event event = events.next(); event.getEventId() != end; event = events.next())
        {
            if (isMap)
            {
                final YamlNode key = node(file, events, event, depth + 1);
                if (key.text == null)
                {
                    throw key.error("a key must be a text");
                }
                if (node.fields.put(key.text, node(file, events, events.next(), depth + 1)) != null)
                {
                    throw key.error("'" + key.text + "' is there twice");
                }
            }
            else
            {
                node.items.add(node(file, events, event, depth + 1));
            }
        }
        return node;
    }

    private static void check(final String file, final Event event)
    {
        if (event.getEventId() == Event.ID.Alias || ((NodeEvent)event).getAnchor().isPresent())
        {
            throw error(file, event, "anchors and aliases are not allowed");
        }
        final Optional<String> tag = event instanceof ScalarEvent ? ((ScalarEvent)event).getTag() :
            event instanceof MappingStartEvent ? ((MappingStartEvent)event).getTag() :
            ((SequenceStartEvent)event).getTag();
        if (tag.isPresent())
        {
            throw error(file, event, "tags are not allowed: " + oneLine(tag.get()));
        }
    }

    SettingsException error(final String message)
    {
        return new SettingsException(place + ": " + message);
    }

    /** The fields of a map that was checked before. */
    Map<String, YamlNode> fields()
    {
        return fields;
    }

    /** The map's fields. Each must be one of the given names. */
    Map<String, YamlNode> fields(final List<String> names)
    {
        if (!isMap)
        {
            throw error("a map with some of the keys " + names + " is needed here");
        }
        fields.forEach((name, node) ->
        {
            if (!names.contains(name))
            {
                throw node.error("'" + name + "' is not one of " + names);
            }
        });
        return fields;
    }

    /** A field that must be there. */
    YamlNode field(final String name)
    {
        final YamlNode field = fields.get(name);
        if (field == null)
        {
            throw error("'" + name + "' is missing");
        }
        return field;
    }

    List<YamlNode> items()
    {
        if (isMap || text != null)
        {
            throw error("a list is needed here");
        }
        return items;
    }

    String text()
    {
        if (text == null)
        {
            throw error("a single value is needed here");
        }
        return text;
    }

    long number(final long least, final long greatest)
    {
        try
        {
            final long value = Long.parseLong(text());
            if (value >= least && value <= greatest)
            {
                return value;
            }
        }
        catch (final NumberFormatException ex)
        {
            throw error("'" + text + "' is no whole number in " + least + ".." + greatest);
        }
        throw error(text + " is not in " + least + ".." + greatest);
    }

    int powerOfTwo(final int least, final int greatest)
    {
        final long number = number(least, greatest);
        if (Long.bitCount(number) != 1)
        {
            throw error(number + " is not a power of two in " + least + ".." + greatest);
        }
        return (int)number;
    }

    /** A part of the text, at the same place. */
    YamlNode part(final int from, final int to)
    {
        return new YamlNode(place, text.substring(from, to), false);
    }

    InetAddress address()
    {
        try
        {
            return InetAddress.getByName(text());
        }
        catch (final UnknownHostException ex)
        {
            throw error("address '" + text + "' is unknown");
        }
    }

    <T extends Enum<T>> T choice(final Class<T> type)
    {
        for (final T value : type.getEnumConstants())
        {
            if (value.name().replace('_', '-').equalsIgnoreCase(text()))
            {
                return value;
            }
        }
        throw error("'" + text + "' is not one of " + List.of(type.getEnumConstants()).toString().toLowerCase(
            java.util.Locale.ROOT).replace('_', '-'));
    }
}
