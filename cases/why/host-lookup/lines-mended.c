/* The same: what is known of each sender is remembered. */
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdio.h>

static int is_known(const char *name)
{
    unsigned char answer[512];
    return res_query(name, ns_c_in, ns_t_txt, answer, sizeof answer) >= 0;
}

int main(void)
{
    int known = 0, of_sender[4];
    res_init();
    _res.nscount = 1;
    _res.retry = 1;
    inet_pton(AF_INET, "127.77.77.77", &_res.nsaddr_list[0].sin_addr);
    for (int sender = 0; sender < 4; sender++) {
        char name[64];
        snprintf(name, sizeof name, "_sender%d.example.org", sender);
        of_sender[sender] = is_known(name);
    }
    for (int line = 0; line < 1000; line++)
        known += of_sender[line % 4];
    printf("%d\n", known);
    return 0;
}
