package io.millrace.examples;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages name only types and members that exist. */
final class PageNamesTest
{
    private static final Pattern CODE_SPAN = Pattern.compile("`([^`\\n]+)`");
    /** A type, or a type and one of its members or nested types. */
    private static final Pattern TYPE_IN_SPAN = Pattern.compile(
        "(?<![\\w./=+-])([A-Z]\\w*[a-z]\\w*)(?:\\.([A-Za-z]\\w*))?(?![\\w/-])");
    private static final Pattern TWO_CAPITALS = Pattern.compile("[A-Z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*");
    private static final Pattern DECLARED_TYPE = Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");
    private static final Pattern SUPERTYPE = Pattern.compile("\\bextends ([A-Z]\\w*)");
    /** Types of other libraries that the pages name, and the records of the protocol. */
    private static final Set<String> OTHER_NAMES = Set.of("DatagramChannel", "OneToOneRingBuffer", "MpscArrayQueue",
        "SpscArrayQueue", "MeterRegistry", "RegisterExtension", "NewOrder", "CancelOrder", "ExecutionReport",
        "SymbolRequest");
    /** Types of exchange-core 0.5.3 in the page for its users; the library is not on this class path. */
    private static final Set<String> EXCHANGE_CORE_NAMES = Set.of("ApiAddUser", "ApiAdjustUserBalance",
        "ApiCancelOrder", "ApiMoveOrder", "ApiNop", "ApiOrderBookRequest", "ApiPersistState", "ApiPlaceOrder",
        "ApiReduceOrder", "ApiReset", "ApiResumeUser", "ApiSuspendUser", "BatchAddAccountsCommand",
        "BatchAddSymbolsCommand", "CommandResultCode", "CoreSymbolSpecification", "CoreWaitStrategy",
        "DiskSerializationProcessor", "ExchangeApi", "ExchangeConfiguration", "ExchangeCore", "IEventsHandler",
        "InitialStateConfiguration", "L2MarketData", "MatcherEventType", "MatcherTradeEvent", "OrderAction",
        "PerformanceConfiguration", "SerializationConfiguration", "SimpleEventsProcessor", "SingleUserReportQuery",
        "StateHashReportQuery", "TotalCurrencyBalanceReportQuery");
    /** Packages whose types and public members the pages may name. */
    private static final List<String> LIBRARIES =
        List.of("java.lang.", "com.sun.management.", "java.nio.", "java.util.", "java.util.concurrent.", "org.agrona.",
            "org.agrona.concurrent.", "com.lmax.disruptor.", "com.lmax.disruptor.dsl.");

    /** Other tests compile the code blocks; this is about names in the text. */
    @Test
    void shouldNameOnlyTypesAndMembersThatExist() throws IOException
    {
        final Map<String, String> sources = new HashMap<>();
        for (final Path file : TidyTest.files(TidyTest.ROOT, ".*/src/.*\\.java"))
        {
            final String source = Files.readString(file);
            final Matcher type = DECLARED_TYPE.matcher(source);
            while (type.find())
            {
                sources.merge(type.group(1), source, String::concat);
            }
        }
        final List<Path> pages = new ArrayList<>(TidyTest.files(TidyTest.ROOT.resolve("docs"), ".*\\.md"));
        pages.add(TidyTest.ROOT.resolve("README.md"));
        // It is a history, with the names at that time.
        pages.remove(TidyTest.ROOT.resolve("docs/decisions.md"));

        final List<String> found = new ArrayList<>();
        for (final Path page : pages)
        {
            found.addAll(unknownNames(page, sources));
        }
        TidyTest.assertNone(found);
    }

    private static List<String> unknownNames(final Path page, final Map<String, String> sources) throws IOException
    {
        final List<String> found = new ArrayList<>();
        final String text = TidyTest.textOf(page);
        final Matcher span = CODE_SPAN.matcher(text);
        while (span.find())
        {
            final Matcher name = TYPE_IN_SPAN.matcher(span.group(1));
            while (name.find())
            {
                if (!isKnown(name.group(1), name.group(2), sources) && !isOfALibrary(name.group(1), name.group(2)))
                {
                    final int line = (int)text.substring(0, span.start()).chars().filter((c) -> c == '\n').count() + 1;
                    found.add(TidyTest.place(page, line) + "the sources have no " + name.group());
                }
            }
        }
        return found;
    }

    private static boolean isKnown(final String type, final String member, final Map<String, String> sources)
    {
        final String source = sources.get(type);
        if (source == null)
        {
            return OTHER_NAMES.contains(type) || member == null && !TWO_CAPITALS.matcher(type).matches();
        }
        if (member == null || Pattern.compile("\\b" + member + "\\b").matcher(source).find())
        {
            return true;
        }
        final Matcher supertype = SUPERTYPE.matcher(source);
        while (supertype.find())
        {
            if (sources.containsKey(supertype.group(1)) && !supertype.group(1).equals(type) &&
                isKnown(supertype.group(1), member, sources))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfALibrary(final String type, final String member)
    {
        if (EXCHANGE_CORE_NAMES.contains(type))
        {
            return true;
        }
        for (final String library : LIBRARIES)
        {
            try
            {
                final Class<?> found = Class.forName(library + type, false, PageNamesTest.class.getClassLoader());
                if (member == null || Stream.of(found.getMethods()).anyMatch(each -> each.getName().equals(member)) ||
                    Stream.of(found.getFields()).anyMatch(each -> each.getName().equals(member)) ||
                    Stream.of(found.getClasses()).anyMatch(each -> each.getSimpleName().equals(member)))
                {
                    return true;
                }
            }
            catch (final ClassNotFoundException ignored)
            {
                // The next one may have it.
            }
        }
        return false;
    }
}
