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
}
