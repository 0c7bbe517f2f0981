import com.hivemq.embedded.EmbeddedHiveMQ;

import java.nio.file.Path;

/** Runs HiveMQ CE until the process ends: {@code java -cp JARS HiveMq.java FOLDER}. The folder has conf/config.xml. */
public final class HiveMq
{
    private HiveMq()
    {
    }

    /**
     * Starts the broker.
     *
     * @param args the folder.
     * @throws Exception if it cannot start.
     */
    public static void main(final String[] args) throws Exception
    {
        final Path folder = Path.of(args[0]);
        final EmbeddedHiveMQ broker = EmbeddedHiveMQ.builder().withConfigurationFolder(folder.resolve("conf"))
            .withDataFolder(folder.resolve("data")).withExtensionsFolder(folder.resolve("extensions")).build();
        broker.start().get();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> broker.stop().join()));
        Thread.currentThread().join();
    }
}
