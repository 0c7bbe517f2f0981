package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The child JVMs of a report, one for each contender. One thread.
 *
 * @param <C> a contender; its text names the child.
 * @param <T> the object in each child.
 */
public final class Children<C, T> implements AutoCloseable
{
    private final Map<C, ChildProcess<T>> children = new LinkedHashMap<>();

    /**
     * Start one.
     *
     * @param contender whose child it is.
     * @param flags     JVM flags after those of all children.
     * @param opening   makes the object.
     * @throws IOException when it does not start.
     */
    public void start(final C contender, final List<String> flags, final ChildProcess.Opening<T> opening)
        throws IOException
    {
        children.put(contender, ChildProcess.start(contender.toString(), flags, opening));
    }

    /**
     * Ask one.
     *
     * @param contender whose child it is.
     * @param question  the question.
     * @param <A>       the answer.
     * @return the answer.
     * @throws IOException when the child failed, ended or hangs.
     */
    public <A> A ask(final C contender, final ChildProcess.Question<? super T, A> question) throws IOException
    {
        return children.get(contender).ask(question);
    }

    /** All that were started, in that order. */
    public Set<C> contenders()
    {
        return children.keySet();
    }

    @Override
    public void close()
    {
        children.values().forEach(ChildProcess::close);
    }
}
