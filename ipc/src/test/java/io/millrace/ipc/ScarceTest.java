package io.millrace.ipc;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
