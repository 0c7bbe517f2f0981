package io.millrace.exchange.tls;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Keys of TLS that are used up in the middle of a session. */
@Timeout(180)
class KeyLimitTest
{
    /** Once in some 40 records of order entry. */
    private static final String LIMITS = "jdk.tls.keyLimits=AES/GCM/NoPadding KeyUpdate 4096, " +
        "ChaCha20-Poly1305 KeyUpdate 4096\n";

    @TempDir
    private Path folder;

    @Test
    void shouldTradeOnWhileTheKeysOfBothSidesChange() throws Exception
    {
        final Path properties = Files.writeString(folder.resolve("limits"), LIMITS);
        final ChildJvm child = new ChildJvm().flags("-Djava.security.properties=" + properties,
            "-Djavax.net.debug=ssl").run(KeyLimitProgram.class, folder);
        assertEquals(List.of("6000 3001 null"), child.out, child::toString);
        final long changes = child.err.stream().filter(line -> line.contains("key update")).count();
        assertTrue(changes > 20, changes + " changes of keys");
    }
}
