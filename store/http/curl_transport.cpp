#include "store/http/curl_transport.hpp"

#include <map>
#include <mutex>
#include <thread>

#include "store/error.hpp"
#include "store/http/curl_exchange.hpp"

namespace idxfsck::store {

namespace {

// More than this many requests wait for a connection; servers and their peers have limits too.
constexpr long connections_max = 128;

void start_libcurl() {
    static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code == CURLE_OK) return;
    throw Error{"libcurl cannot start"}.with("cause", curl_easy_strerror(code));
}

}  // namespace

// The thread that owns all of libcurl's handles. Others hand it exchanges and wake it.
class CurlTransport::Engine {
public:
    explicit Engine(std::string certificates) : certificates_{std::move(certificates)} {
        start_libcurl();
        multi_ = curl_multi_init();
        if (multi_ == nullptr) throw Error{"libcurl cannot start"};
        curl_multi_setopt(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections_max);
        curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, connections_max);
        thread_ = std::thread{[this] { run(); }};
    }

    ~Engine() {
        {
            const std::lock_guard lock{mutex_};
            stopping_ = true;
        }
        curl_multi_wakeup(multi_);
        thread_.join();
        curl_multi_cleanup(multi_);
    }

    std::future<HttpResult> add(HttpRequest request) {
        auto exchange = std::make_unique<CurlExchange>(std::move(request));
        std::future<HttpResult> future = exchange->future();
        {
            const std::lock_guard lock{mutex_};
            waiting_.push_back(std::move(exchange));
        }
        curl_multi_wakeup(multi_);
        return future;
    }

private:
    using Exchange = std::unique_ptr<CurlExchange>;

    void run() {
        while (begin_waiting()) {
            int running = 0;
            curl_multi_perform(multi_, &running);
            end_finished();
            // Woken by add(), by the network, or by libcurl's own timers.
            curl_multi_poll(multi_, nullptr, 0, 1000, nullptr);
        }
        for (auto& [handle, exchange] : running_) {
            curl_multi_remove_handle(multi_, handle);
            exchange->fail("the program ends", false);
        }
        running_.clear();
    }

    // False once the transport goes.
    bool begin_waiting() {
        std::vector<Exchange> fresh;
        bool stopping = false;
        {
            const std::lock_guard lock{mutex_};
            fresh.swap(waiting_);
            stopping = stopping_;
        }
        for (Exchange& exchange : fresh) {
            if (stopping) exchange->fail("the program ends", false);
            else begin(std::move(exchange));
        }
        return !stopping;
    }

    void begin(Exchange exchange) {
        if (!exchange->prepare(certificates_)) return exchange->finish(CURLE_OK);
        CURL* const handle = exchange->handle();
        if (curl_multi_add_handle(multi_, handle) != CURLM_OK) {
            return exchange->fail("libcurl takes no more requests", true);
        }
        running_[handle] = std::move(exchange);
    }

    void end_finished() {
        int left = 0;
        while (const CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
            if (message->msg != CURLMSG_DONE) continue;
            const CURLcode code = message->data.result;
            const auto found = running_.find(message->easy_handle);
            curl_multi_remove_handle(multi_, message->easy_handle);
            found->second->finish(code);
            running_.erase(found);
        }
    }

    const std::string certificates_;
    CURLM* multi_ = nullptr;
    std::mutex mutex_;
    std::vector<Exchange> waiting_;
    bool stopping_ = false;
    std::map<CURL*, Exchange> running_;
    std::thread thread_;
};

CurlTransport::CurlTransport(std::string certificates)
    : engine_{std::make_unique<Engine>(std::move(certificates))} {}

CurlTransport::~CurlTransport() = default;

std::future<HttpResult> CurlTransport::start(HttpRequest request) {
    return engine_->add(std::move(request));
}

}  // namespace idxfsck::store
