package io.millrace.ipc;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Bugs planted into the exchange, one at a time: the test that names each one must fail with it, and pass without.
 * Nothing of this is in a shipped class: the changed source is compiled into a folder of the test.
 */
class PlantedBugTest
{
    /** A class, the method that must fail, old text and new text. The old text occurs once. */
    record Bug(String name, Class<?> type, Class<?> test, String method, String old, String planted)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }

    static final List<Bug> ALL = List.of(
        new Bug("S1: files that others may read", ExchangeFiles.class, ExchangeFileTest.class,
            "shouldCreateFilesThatOnlyTheirUserCanOpen", "fromString(\"rw-------\")", "fromString(\"rw-r--r--\")"),
        new Bug("S1: permissions not checked", ExchangeFiles.class, ExchangeFileTest.class,
            "shouldRefuseAFolderOrAFileThatOthersCanOpen", "!permissions.containsAll(found.permissions())", "false"),
        new Bug("S1: a link followed", ExchangeFiles.class, ExchangeFileTest.class, "shouldNotFollowLinks",
            "StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE,\n" +
            "            LinkOption.NOFOLLOW_LINKS)",
            "StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)"),
        new Bug("S2: stale file kept", ExchangeHost.class, KillTest.class, "shouldReplaceTheFilesOfADeadHost",
            "Files.deleteIfExists(context.file());\n        final SharedMemory", "final SharedMemory"),
        new Bug("S3: layout hash not compared", ExchangeLayout.class, ExchangeFileTest.class,
            "shouldRefuseAnotherVersionLayoutOrByteOrderAndNameBoth", "hash != layout.hash()", "false"),
        new Bug("S4: length of a slot trusted", Descriptor.class, HostileTest.class,
            "shouldCheckEachDescriptorOfARequest", "length >= 0 && length <= payloadBytes && ", ""),
        new Bug("S4: status of a response trusted", LaneEnd.class, HostileTest.class,
            "shouldCheckEachDescriptorOfAResponse", "status == null || ", ""),
        new Bug("S4: impossible word ignored", LaneEnd.class, HostileTest.class,
            "shouldDetachAGuestThatWritesAnImpossibleWord",
            "link.fault(peer, \"lane \" + lane + \": slot with \" + SlotWord.describe(word));", ""),
        new Bug("S5: answer of the next guest waited for", Slots.class, StallTest.class,
            "shouldEndTheCallsThatTheNextGuestAnswers", "if (word == SlotWord.with(published, peer, RESP_READY))",
            "if (SlotWord.state(word) == RESP_READY)"),
        new Bug("S4: slot with an impossible word lost", Slots.class, ExchangeFuzzTest.class,
            "s4ShouldSurviveTheInputsThatAFuzzerKept",
            "return !isServed && memory.compareAndSet(slot, word, busy) ? busy : NONE;", "return NONE;"),
        new Bug("S5: slots of a dead guest kept", HostControl.class, KillTest.class,
            "shouldGoOnWhenAGuestIsKilledAtAnyState", "slots.clean(offset, guestId);", ""),
        new Bug("S5: death not passed on to a caller", LaneEnd.class, KillTest.class,
            "shouldGoOnWhenAGuestIsKilledAtAnyState",
            "if (link.peer() != peer || isForeign(word, published, peer) || waitedNs >= timeoutNs)",
            "if (waitedNs >= timeoutNs)"),
        new Bug("S7: timeout that keeps the slot", Slots.class, StallTest.class,
            "shouldPushBackAndTimeOutWhenTheGuestDoesNotServe", "if (free(slot, published))", "if (false)"),
        new Bug("S7: stopped guest not noticed", ControlThread.class, StallTest.class,
            "shouldNoticeAGuestThatIsStoppedAndGoOnWhenItContinues", "link.stalled(true);", ""),
        new Bug("two cleaners, one frees the next use", Slots.class, SlotsTest.class,
            "shouldNotFreeTheNextUseAfterALateLook",
            "return memory.compareAndSet(slot, word, done) && memory",
            "return memory.compareAndSet(slot, word(slot), done) && memory"),
        new Bug("cleaner that goes by state, not by owner", Slots.class, SlotsTest.class,
            "shouldNotCleanWhatAPeerWithTheSameProcessNumberOwns", "SlotWord.owner(word) == dead && SlotWord",
            "SlotWord.state(word) != FREE && SlotWord"),
        new Bug("late reply into the next use", Slots.class, SlotsTest.class,
            "shouldNotReplyIntoALaterUseOfTheSlot", "if (word(slot) == taken)", "if (taken != 0)"),
        new Bug("release that hits a new owner", Slots.class, SlotsTest.class, "shouldPassASlotRound",
            "return memory.compareAndSet(slot, done, SlotWord.freed(done));",
            "memory.setVolatile(slot, SlotWord.freed(word(slot)));\n        return true;"));
    /** For the default build. */
    static final List<Bug> FEW =
        ALL.stream().filter(bug -> bug.test() == SlotsTest.class).limit(1).toList();

    /** With these, a test waits for its limit of a minute: they wait at the same time, while the others run. */
    private static final List<Bug> LONG = ALL.stream().filter(bug -> Set.of("shouldGoOnWhenAGuestIsKilledAtAnyState",
        "shouldNoticeAGuestThatIsStoppedAndGoOnWhenItContinues").contains(bug.method())).toList();

    private static final Path SOURCES =
        Path.of(System.getProperty("millrace.root", "..")).resolve("ipc/src/main/java");
    private static final Map<Bug, Future<Integer>> BEGUN = new HashMap<>();

    @TempDir
    private static Path all;

    private static Path source(final Bug bug)
    {
        return SOURCES.resolve(bug.type().getName().replace('.', '/') + ".java");
    }

    private static String planted(final Bug bug) throws IOException
    {
        final String text = Files.readString(source(bug));
        final int at = text.indexOf(bug.old());
        assertTrue(at >= 0, () -> bug + ": " + bug.type() + " has no text\n" + bug.old());
        assertEquals(at, text.lastIndexOf(bug.old()), () -> bug + ": the text is there twice\n" + bug.old());
        return text.substring(0, at) + bug.planted() + text.substring(at + bug.old().length());
    }

    private static void compile(final Bug bug, final Path folder) throws IOException
    {
        final Path file = folder.resolve("src").resolve(bug.type().getSimpleName() + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, planted(bug));
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8))
        {
            final List<String> options = List.of("--release", "17", "-proc:none", "-Xlint:none", "-d",
                folder.toString(), "-cp", System.getProperty("java.class.path"));
            assertTrue(compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(file)).call(),
                () -> bug + ": " + messages);
        }
    }

    /** Runs tests with the classes of the folder before ours; the exit code is the number of failures. */
    private static int run(final List<String> tests, final Path folder) throws Exception
    {
        final Path output = folder.resolve("out");
        final List<String> command = new ArrayList<>(List.of(
            ChildJvm.JDK.resolve("bin/java").toString(), "-XX:TieredStopAtLevel=1", "-cp",
            folder + File.pathSeparator + System.getProperty("java.class.path"),
            "-Dmillrace.root=" + System.getProperty("millrace.root", ".."), PlantedBugTest.class.getName()));
        command.addAll(tests);
        final Process child = ChildJvm.start(output, command);
        final int exitCode = child.waitFor();
        for (final String line : Files.readAllLines(output))
        {
            if (line.startsWith("FAILED") || line.startsWith("SUCCEEDED"))
            {
                System.out.println("PlantedBugTest, in its child: " + line);
            }
        }
        return exitCode;
    }

    private static int plant(final Bug bug) throws Exception
    {
        final Path folder = Files.createTempDirectory(all, "bug");
        compile(bug, folder);
        return run(List.of(bug.test().getName() + "#" + bug.method()), folder);
    }

    private static Future<Integer> begin(final Bug bug)
    {
        final FutureTask<Integer> run = new FutureTask<>(() -> plant(bug));
        final Thread thread = new Thread(run, bug.name());
        thread.setDaemon(true);
        thread.start();
        return run;
    }

    private static void checkCaught(final Bug bug, final int failures)
    {
        assertNotEquals(0, failures, () -> bug + " is not caught by " + bug.test() + "." + bug.method());
    }

    @ParameterizedTest
    @FieldSource("FEW")
    void shouldCatchOne(final Bug bug) throws Exception
    {
        checkCaught(bug, plant(bug));
    }

    @Tag("faults")
    @ParameterizedTest
    @FieldSource("ALL")
    void shouldCatchEach(final Bug bug) throws Exception
    {
        if (BEGUN.isEmpty())
        {
            LONG.forEach(each -> BEGUN.put(each, begin(each)));
        }
        final Future<Integer> begun = BEGUN.get(bug);
        checkCaught(bug, begun == null ? plant(bug) : begun.get());
    }

    @Tag("faults")
    @Test
    void shouldPassWithoutABug() throws Exception
    {
        assertEquals(0, run(ALL.stream().map(bug -> bug.test().getName() + "#" + bug.method()).distinct().toList(),
            all));
    }

    /** A change of a source must not leave its bug behind. */
    @Test
    void shouldFindTheTextOfEachBugInItsSource() throws IOException
    {
        for (final Bug bug : ALL)
        {
            assertNotEquals(Map.of(), Map.of(bug.name(), planted(bug)));
        }
    }

    /**
     * The child.
     *
     * @param arguments the tests.
     */
    public static void main(final String[] arguments)
    {
        final LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (final String argument : arguments)
        {
            request.selectors(DiscoverySelectors.selectMethod(argument));
        }
        final SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request.build(), listener);
        final TestExecutionSummary summary = listener.getSummary();
        summary.getFailures().forEach(failure -> System.out.println("FAILED " +
            failure.getTestIdentifier().getDisplayName() + ": " +
            failure.getException().toString().replaceAll("\\R", " ")));
        System.out.println("SUCCEEDED " + summary.getTestsSucceededCount());
        // A test that failed may have left threads. One more than the failures if no test ran.
        Runtime.getRuntime().halt((int)summary.getTestsFailedCount() +
            (summary.getTestsSucceededCount() + summary.getTestsFailedCount() == 0 ? 1 : 0));
    }
}
