package io.millrace.benchmarks.ipc;

import io.millrace.benchmarks.harness.RivalClass;

import java.nio.file.Path;
import java.util.List;

/** One end of calls through Aeron IPC, which is in no other build than that of the profile. One thread. */
interface RivalCalls
{
    RivalClass<RivalCalls> RIVAL =
        new RivalClass<>(RivalCalls.class.getPackageName() + ".AeronCalls", "report-ipc", RivalCalls.class);

    /**
     * In the host: one call.
     *
     * @param first number of the request.
     * @return 0 if the answer is right, else 1.
     */
    int call(long first);

    /** In the guest: answers until the process ends. Sleeps while there are no calls, as the other contenders do. */
    void serve();

    /** Whether this build has it. */
    static boolean isHere()
    {
        return RIVAL.isHere();
    }

    /** The JVM flags that its documentation asks for; none where it is not here. */
    static List<String> flags()
    {
        return isHere() ? List.of("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Dagrona.disable.bounds.checks=true") : List.of();
    }

    /** Opens an end; the host's is first. Null where it is not here. */
    static RivalCalls open(final Path directory, final boolean isHost)
    {
        return isHere() ? RIVAL.make(directory.resolve("aeron"), isHost) : null;
    }
}
