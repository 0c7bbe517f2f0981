package io.millrace.benchmarks.harness;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/**
 * The main class of every child process. It opens the object that its parent describes, then runs one question after
 * another on it, all on this thread. It blocks between two questions and uses no CPU. It ends when its stdin ends.
 */
public final class ChildMain
{
    private ChildMain()
    {
    }

    /**
     * The answer to a question that failed.
     *
     * @param reason text of the exception.
     */
    record Failure(String reason) implements Serializable
    {
    }

    /**
     * Run the child.
     *
     * @param args none.
     * @throws IOException            when stdin or stdout fails.
     * @throws ClassNotFoundException when the parent runs other classes.
     */
    public static void main(final String[] args) throws IOException, ClassNotFoundException
    {
        final ObjectOutputStream answers = new ObjectOutputStream(System.out);
        answers.flush();
        // Other output must not mix with the answers.
        System.setOut(System.err);
        try (ObjectInputStream questions = new ObjectInputStream(System.in))
        {
            Object own = null;
            while (true)
            {
                final Object question = questions.readObject();
                Object answer;
                try
                {
                    answer = ChildProcess.answer(question, own);
                    own = question instanceof ChildProcess.Opening ? answer : own;
                }
                catch (final Exception ex)
                {
                    ex.printStackTrace();
                    answer = new Failure(ex.toString());
                }
                // The next contender runs when the parent has the answer.
                QuietProcess.await();
                answers.writeObject(answer == own ? null : answer);
                answers.reset();
                answers.flush();
            }
        }
        catch (final EOFException ex)
        {
            // The parent has closed stdin.
            answers.close();
        }
    }
}
