package io.millrace.ipc;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.Descriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Too few file descriptors, and too little memory. */
@Timeout(180)
class ScarceTest extends FolderFixture
{
    @Test
    void shouldCleanUpPauseAndAnswerWithoutDescriptorsOrMemory() throws Exception
    {
        assertEquals(List.of("create failed: true", "accept failed: a few times",
            "stream failed: 2 rounds, java.lang.OutOfMemoryError: Java heap space"),
            Children.jvm(ChildJvm.JDK).withFewDescriptors().lines(ScarcePeer.class, directory));
    }

    /** Each thread may start 59 others: more than the JVM itself needs. */
    @Test
    void shouldLeaveNoFilesWhenTheControlThreadCannotBeStarted() throws Exception
    {
        final ChildJvm child = Children.jvm(ChildJvm.JDK).refusing("clone,clone3", "error=EAGAIN:when=60+")
            .run(ThreadlessPeer.class, directory);
        assertEquals(0, child.exitCode, child::toString);
        assertEquals(List.of("t.lock"), List.of(directory.toFile().list()));
    }

    @Test
    void shouldLeaveNoDescriptorWhenAnErrorEndsTheAttachment() throws Exception
    {
        final StackOverflowError planted = new StackOverflowError("on purpose");
        final Path folder = (Path)Proxy.newProxyInstance(Path.class.getClassLoader(), new Class<?>[]{Path.class},
            (proxy, method, arguments) ->
            {
                if ("getFileSystem".equals(method.getName()))
                {
                    throw planted;
                }
                return method.invoke(directory, arguments);
            });
        final ExchangeContext context = new ExchangeContext("t").directory(folder);
        final int attempts = 50;
        final long before = Descriptors.open();
        for (int i = 0; i < attempts; i++)
        {
            assertSame(planted, assertThrows(StackOverflowError.class, () -> ExchangeGuest.attach(context)));
        }
        assertTrue(Descriptors.open() < before + attempts, "a descriptor of each attempt is left");
    }

    /** The heap is too small for the views of the slots, or the direct memory for the zeros of the file. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xmx12m", "-XX:MaxDirectMemorySize=32k"})
    void shouldLeaveNoFileOfAHostForWhichThereIsNoMemory(final String limit) throws Exception
    {
        assertEquals(List.of("no memory, left are [t.lock]"),
            Children.jvm(ChildJvm.JDK).flags(limit).lines(LargeHost.class, directory));
    }

    /** As on a full /dev/shm. */
    @Test
    void shouldNameTheFileOfAHostForWhichThereIsNoSpace() throws Exception
    {
        final List<String> lines = Children.jvm(ChildJvm.JDK)
            .under("/bin/sh", "-c", "ulimit -f 1000 && exec \"$0\" \"$@\"").lines(LargeHost.class, directory);
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).matches("\\Q" + directory.resolve("t.exchange") +
            "\\E of \\d{8} bytes cannot be written: File too large, left are \\[t\\.lock]"), lines::toString);
    }

    /** The longest file of small slots. */
    static final class LargeHost
    {
        private LargeHost()
        {
        }

        public static void main(final String[] arguments) throws IOException
        {
            final Path folder = Path.of(arguments[0]);
            try
            {
                ExchangeHost.create(new ExchangeContext("t").directory(folder)
                    .lanes(ExchangeLayout.MAX_LANES).slots(ExchangeLayout.MAX_SLOTS).payloadBytes(64));
                System.out.println("created");
            }
            catch (final OutOfMemoryError ex)
            {
                System.out.println("no memory, left are " + List.of(folder.toFile().list()));
            }
            catch (final IOException ex)
            {
                System.out.println(ex.getMessage() + ", left are " + List.of(folder.toFile().list()));
            }
        }
    }
}
