package io.millrace.engine.risk;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Users, accounts and positions have the same state hash in every JVM: on each JDK here, and interpreted. */
@Tag("normal")
class RiskHashTest
{
    /** An interpreter takes a few seconds for these. */
    private static final int FEW = 2_000;

    private static List<String> run(final int commands, final Path jdk, final String... flags) throws Exception
    {
        return new ChildJvm(jdk).flags(flags).flags("-Dmillrace.shared=" + SharedFile.FOLDER)
            .lines(HashedRiskRun.class, commands);
    }

    @Tag("slow")
    @Test
    void shouldBeEqualOnOtherJdksAndInterpreted() throws Exception
    {
        final List<String> expected = HashedRiskRun.hashes(HashedRiskRun.ALL);
        final List<Path> jdks = ChildJvm.jdks();
        for (final Path jdk : jdks.subList(1, jdks.size()))
        {
            assertEquals(expected, run(HashedRiskRun.ALL, jdk), jdk::toString);
        }
        assertEquals(HashedRiskRun.hashes(FEW), run(FEW, ChildJvm.JDK, "-Xint"));
    }
}
